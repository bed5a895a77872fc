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

double BernoulliPosterior::total() const {
  return table().sum(weights.data(), static_cast<int64_t>(weights.size()));
}

/// psi(a) - psi(a + b) of a Beta(a, b), or log a - log(a + b).
void BernoulliPosterior::take_logs(bool of_means, BernoulliLogs& logs) const {
  const auto logarithm = of_means ? table().logarithm : table().digamma;
  const auto take = [&](const Array<double>& x, Array<double>& out) {
    out.resize(x.size());
    logarithm(x.data(), out.data(), static_cast<int64_t>(x.size()));
  };
  const size_t columns = ones.size() / weights.size();
  double log_total = total();
  logarithm(&log_total, &log_total, 1);
  logs.zeros.resize(ones.size());
  for (size_t i = 0; i < ones.size(); ++i) logs.zeros[i] = ones[i] + zeros[i];
  take(logs.zeros, logs.zeros);
  take(zeros, logs.of_zeros);
  take(ones, logs.odds);
  take(weights, logs.weights);
  logs.constants.resize(weights.size());
  for (size_t k = 0; k < weights.size(); ++k) {
    logs.constants[k] = logs.weights[k] -= log_total;
    for (size_t i = k * columns; i < (k + 1) * columns; ++i) {
      logs.odds[i] -= logs.of_zeros[i];
      logs.constants[k] -= logs.zeros[i] -= logs.of_zeros[i];
    }
  }
}

/// Components with equal shares of the rows and theta_kd uniform on (1/4, 3/4).
void BernoulliMixture::draw(const Perturbation& perturbation, BernoulliPosterior& out) const {
  const size_t columns = ones_prior_.size();
  out.ones.resize(posterior_.ones.size());
  for (size_t k = 0; k < weights_prior_.size(); ++k) {
    RandomStream random(perturbation.seed, Purpose::perturb, perturbation.iteration, component_stream + k);
    for (size_t d = 0; d < columns; ++d) out.ones[k * columns + d] = 0.25 + 0.5 * random.uniform();
  }
  count_rows(perturbation.rows, out);
}

void BernoulliMixture::prepare_step(BernoulliWork& work, const GlobalStep& step) const {
  const bool perturbed = step.perturbation.share > 0;
  if (perturbed) draw(step.perturbation, work.drawn);
  work.next.weights = posterior_.weights;
  work.next.ones = posterior_.ones;
  work.next.zeros = posterior_.zeros;
  DirichletStep of_parameters(step);
  const auto update = [&](Array<double>& values, size_t i, double prior, double count, const Array<double>& drawn) {
    values[i] = of_parameters.next(values[i], prior, count, perturbed ? drawn[i] : 0);
  };
  work.change = {};
  const size_t components = weights_prior_.size(), columns = ones_prior_.size();
  const double* ones = work.statistics.data() + components;
  const double* missing = ones + components * columns;
  for (size_t k = 0; k < components; ++k) {
    const double rows = work.statistics[k];
    work.change.unused_components += step.scale * rows < least_rows_of_component ? 1 : 0;
    update(work.next.weights, k, weights_prior_[k], rows, work.drawn.weights);
    for (size_t d = 0, i = k * columns; d < columns; ++d, ++i) {
      update(work.next.ones, i, ones_prior_[d], ones[i], work.drawn.ones);
      update(work.next.zeros, i, zeros_prior_[d], rows - ones[i] - missing[i], work.drawn.zeros);
    }
  }
  if (!of_parameters.is_below(largest_count)) refuse_step(step.iteration, "the expected numbers of rows");
  work.change.relative = of_parameters.change();
  work.next.take_logs(false, work.next.expected);
}

GlobalChange BernoulliMixture::global_step(BernoulliWork& work, const GlobalStep&) noexcept {
  std::swap(posterior_, work.next);
  return work.change;
}

/// Over the Dirichlet and the Betas with parameters l, prior a and expected logarithms E, a' the prior at its power:
///   s [log G(sum a) - sum log G(a)] - log G(sum l) + sum log G(l) + sum (a' - l) E.
double BernoulliMixture::global_bound(const PriorPower& power) const {
  const BernoulliLogs& expected = posterior_.expected;
  const size_t components = weights_prior_.size(), columns = ones_prior_.size();
  double prior_total = 0, prior_terms = 0, bound = -log_gamma(posterior_.total());
  for (size_t k = 0; k < components; ++k) {
    const double prior = weights_prior_[k], weight = posterior_.weights[k];
    prior_total += prior;
    prior_terms -= log_gamma(prior);
    bound += log_gamma(weight) + (power.concentration(prior) - weight) * expected.weights[k];
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
  double of_total = posterior_.total(), all = 0;
  log_moments(&of_total, 1, s, &of_total);
  constexpr size_t block = 256;
  double ones[block], zeros[block], sums[block];
  for (size_t k = 0; k < weights_prior_.size(); ++k) {
    double term = s * expected.weights[k];
    if (!plug_in) {
      log_moments(&posterior_.weights[k], 1, s, &term);
      term -= of_total;
    }
    const size_t end = (k + 1) * columns;
    for (size_t i = k * columns; plug_in && i < end; ++i) {
      term += log_sum(s * (expected.odds[i] - expected.zeros[i]), -s * expected.zeros[i]);
    }
    for (size_t first = k * columns; !plug_in && first < end; first += block) {
      const size_t count = std::min(block, end - first);
      for (size_t i = 0; i < count; ++i) sums[i] = posterior_.ones[first + i] + posterior_.zeros[first + i];
      const auto take = [&](const double* x, double* out) { log_moments(x, static_cast<int64_t>(count), s, out); };
      take(sums, sums);
      take(&posterior_.ones[first], ones);
      take(&posterior_.zeros[first], zeros);
      for (size_t i = 0; i < count; ++i) term += log_sum(ones[i], zeros[i]) - sums[i];
    }
    all = k > 0 ? log_sum(all, term) : term;
  }
  return tokens * all;
}

int64_t BernoulliMixture::duplicate_of(int64_t component) const {
  const size_t k = static_cast<size_t>(component), columns = ones_prior_.size();
  for (size_t a = 0; a < k && rows_of(k) >= least_rows_of_component; ++a) {
    double distance = 0;
    for (size_t d = 0; d < columns; ++d) distance += std::abs(mean(a * columns + d) - mean(k * columns + d));
    const bool is_used = rows_of(a) >= least_rows_of_component;
    if (is_used && distance < duplicate_distance * static_cast<double>(columns)) return static_cast<int64_t>(a);
  }
  return -1;
}

}  // namespace vtemper
