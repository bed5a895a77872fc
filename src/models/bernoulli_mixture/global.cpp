// The global step, the parameters' terms of the objective, the normaliser (README.md sections 2 to 4).

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/bernoulli_mixture/bernoulli_mixture.h"
#include "models/dirichlet.h"
#include "models/log_sum.h"
#include "support/random_streams.h"

namespace vtemper {

namespace {

/// Two components are duplicates if their probabilities differ by less on average.
constexpr double duplicate_distance = 1e-2;
/// Larger expected numbers of rows are refused.
constexpr double largest_count = 1e150;
/// Stream items for randomly drawn components; rows use the items below.
constexpr uint64_t component_stream = uint64_t{1} << 43;

const kernels::Table<double>& table() {
  return kernels::instruction_set().double_precision;
}

}  // namespace

void BernoulliPosterior::take_logs(const MixtureWeights& weights, bool of_means, BernoulliLogs& logs) const {
  const auto logarithm = of_means ? table().logarithm : table().digamma;
  const auto take = [&](const Array<double>& x, Array<double>& out) {
    out.resize(x.size());
    logarithm(x.data(), out.data(), static_cast<int64_t>(x.size()));
  };
  logs.zeros.resize(ones.size());
  for (size_t i = 0; i < ones.size(); ++i) logs.zeros[i] = ones[i] + zeros[i];
  take(logs.zeros, logs.zeros);
  take(zeros, logs.of_zeros);
  take(ones, logs.odds);
  weights.take_logs(of_means, logs.constants);
  const size_t columns = ones.size() / logs.constants.size();
  for (size_t k = 0, i = 0; k < logs.constants.size(); ++k) {
    for (size_t d = 0; d < columns; ++d, ++i) {
      logs.odds[i] -= logs.of_zeros[i];
      logs.constants[k] -= logs.zeros[i] -= logs.of_zeros[i];
    }
  }
}

/// Stochastic annealing draws components with equal shares of the rows and theta_kd uniform on (1/4, 3/4).
void BernoulliMixture::prepare_step(BernoulliWork& work, const GlobalStep& step) const {
  const Perturbation& perturbation = step.perturbation;
  const double drawn_rows = perturbation.rows / static_cast<double>(count());
  work.next_weights = weights_;
  work.next.ones = posterior_.ones;
  work.next.zeros = posterior_.zeros;
  work.change = {};
  DirichletStep of_parameters(step);
  const size_t components = weights_.prior.size(), columns = ones_prior_.size();
  const double* ones = work.statistics.data() + components;
  const double* missing = ones + components * columns;
  for (size_t k = 0; k < components; ++k) {
    const double rows = work.statistics[k], prior = weights_.prior[k];
    RandomStream random(perturbation.seed, Purpose::perturb, perturbation.iteration, component_stream + k);
    work.change.unused_components += step.scale * rows < least_rows_of_component ? 1 : 0;
    double& weight = work.next_weights.concentration[k];
    weight = of_parameters.next(weight, prior, rows, prior + drawn_rows);
    for (size_t d = 0, i = k * columns; d < columns; ++d, ++i) {
      const double theta = perturbation.share > 0 ? 0.25 + 0.5 * random.uniform() : 0;
      const double one = ones_prior_[d], zero = zeros_prior_[d], of_zeros = rows - ones[i] - missing[i];
      work.next.ones[i] = of_parameters.next(posterior_.ones[i], one, ones[i], one + drawn_rows * theta);
      work.next.zeros[i] = of_parameters.next(posterior_.zeros[i], zero, of_zeros, zero + drawn_rows * (1 - theta));
    }
  }
  if (!of_parameters.is_below(largest_count)) refuse_step(step.iteration, "the expected numbers of rows");
  work.change.relative = of_parameters.change();
  work.next_weights.refresh();
  work.next.take_logs(work.next_weights, false, work.next.expected);
}

GlobalChange BernoulliMixture::global_step(BernoulliWork& work, const GlobalStep&) noexcept {
  std::swap(weights_, work.next_weights);
  std::swap(posterior_, work.next);
  return work.change;
}

/// Over the Dirichlet and the Betas with parameters l, prior a and expected logarithms E, a' the prior at its power:
///   s [log G(sum a) - sum log G(a)] - log G(sum l) + sum log G(l) + sum (a' - l) E.
double BernoulliMixture::global_bound(const PriorPower& power) const {
  const BernoulliLogs& expected = posterior_.expected;
  const size_t components = weights_.prior.size(), columns = ones_prior_.size();
  double prior_total = 0, prior_terms = 0, bound = -log_gamma(weights_.total);
  for (size_t k = 0; k < components; ++k) {
    const double prior = weights_.prior[k], weight = weights_.concentration[k];
    prior_total += prior;
    prior_terms -= log_gamma(prior);
    bound += log_gamma(weight) + (power.concentration(prior) - weight) * weights_.expected_logs[k];
  }
  prior_terms += log_gamma(prior_total);
  for (size_t d = 0; d < columns; ++d) {
    double logs[3] = {ones_prior_[d], zeros_prior_[d], ones_prior_[d] + zeros_prior_[d]};
    const double one_prior = power.concentration(logs[0]), zero_prior = power.concentration(logs[1]);
    table().log_gamma(logs, logs, 3);
    prior_terms += static_cast<double>(components) * (logs[2] - logs[0] - logs[1]);
    for (size_t i = d; i < components * columns; i += columns) {
      const double one = posterior_.ones[i], zero = posterior_.zeros[i];
      double of_posterior[3] = {one, zero, one + zero};
      table().log_gamma(of_posterior, of_posterior, 3);
      bound += of_posterior[0] + of_posterior[1] - of_posterior[2] - (zero_prior - zero) * expected.zeros[i] +
               (one_prior - one) * (expected.odds[i] - expected.zeros[i]);
    }
  }
  return bound + power.inverse * prior_terms;
}

/// N log c_s,  c_s = sum_k pi_k^s prod_d (theta_kd^s + (1 - theta_kd)^s): `upper` takes posterior expectations of the
/// powers, `plug_in` exp(s E log) of each.
double BernoulliMixture::log_normalizer(const Normalizer& normalizer, double s, double, double tokens) const {
  const bool plug_in = normalizer.estimate == "plug_in";
  if (s == 1 && !plug_in) return 0;
  const BernoulliLogs& expected = posterior_.expected;
  const size_t columns = ones_prior_.size();
  constexpr size_t block = 256;
  double moments[3 * block];  // of ones, zeros and their sums
  double of_total = 0, all = 0;
  log_moments(&weights_.total, 1, s, &of_total);
  for (size_t k = 0; k < weights_.prior.size(); ++k) {
    double term = s * weights_.expected_logs[k];
    if (!plug_in) {
      log_moments(&weights_.concentration[k], 1, s, &term);
      term -= of_total;
    }
    const size_t end = (k + 1) * columns;
    for (size_t i = k * columns; plug_in && i < end; ++i) {
      term += log_sum(s * (expected.odds[i] - expected.zeros[i]), -s * expected.zeros[i]);
    }
    for (size_t first = k * columns; !plug_in && first < end; first += block) {
      const size_t size = std::min(block, end - first);
      for (size_t i = 0; i < size; ++i) {
        moments[i] = posterior_.ones[first + i];
        moments[size + i] = posterior_.zeros[first + i];
        moments[2 * size + i] = moments[i] + moments[size + i];
      }
      log_moments(moments, static_cast<int64_t>(3 * size), s, moments);
      for (size_t i = 0; i < size; ++i) term += log_sum(moments[i], moments[size + i]) - moments[2 * size + i];
    }
    all = k > 0 ? log_sum(all, term) : term;
  }
  return tokens * all;
}

bool BernoulliMixture::are_alike(int64_t a, int64_t b) const {
  const size_t columns = ones_prior_.size(), first = static_cast<size_t>(a) * columns;
  const size_t second = static_cast<size_t>(b) * columns;
  double distance = 0;
  for (size_t d = 0; d < columns; ++d) distance += std::abs(posterior_.mean(first + d) - posterior_.mean(second + d));
  return distance < duplicate_distance * static_cast<double>(columns);
}

}  // namespace vtemper
