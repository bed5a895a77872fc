// The global step, the parameters' terms of the objective, the normaliser (README.md sections 2 to 4).

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/bernoulli_mixture/bernoulli_mixture.h"
#include "models/log_sum.h"

namespace vtemper {

namespace {

/// Two components are duplicates if their probabilities differ by less on average.
constexpr double duplicate_distance = 1e-2;
/// Larger expected numbers of rows are refused.
constexpr double largest_count = 1e150;
/// Stream items for randomly drawn components; rows use the items below.
constexpr uint64_t component_stream = uint64_t{1} << 43;
constexpr size_t block = 256;
using Block = std::array<double, block>;

const kernels::Table<double>& table() {
  return kernels::instruction_set().double_precision;
}

/// x <- log G(x + s) - log G(x).
void log_ratios(double* x, size_t count, double s) {
  Block raised;
  for (size_t i = 0; i < count; ++i) raised[i] = x[i] + s;
  table().log_gamma(raised.data(), raised.data(), static_cast<int64_t>(count));
  table().log_gamma(x, x, static_cast<int64_t>(count));
  for (size_t i = 0; i < count; ++i) x[i] = raised[i] - x[i];
}

}  // namespace

double BernoulliPosterior::total() const {
  return table().sum(weights.data(), static_cast<int64_t>(weights.size()));
}

/// psi(a) - psi(a + b) of a Beta(a, b), or log a - log(a + b).
void BernoulliPosterior::take_logs(bool of_means, BernoulliLogs& logs) const {
  const auto logarithm = of_means ? table().logarithm : table().digamma;
  const size_t columns = ones.size() / weights.size();
  for (Array<double>* array : {&logs.weights, &logs.constants}) array->resize(weights.size());
  for (Array<double>* array : {&logs.odds, &logs.zeros}) array->resize(ones.size());
  double log_total = total();
  logarithm(&log_total, &log_total, 1);
  logarithm(weights.data(), logs.weights.data(), static_cast<int64_t>(weights.size()));
  Block log_zeros, log_sums;
  for (size_t k = 0; k < weights.size(); ++k) {
    logs.constants[k] = logs.weights[k] -= log_total;
    for (size_t first = k * columns; first < (k + 1) * columns; first += block) {
      const size_t count = std::min(block, (k + 1) * columns - first);
      const auto take = [&](const double* x, double* out) { logarithm(x, out, static_cast<int64_t>(count)); };
      for (size_t i = 0; i < count; ++i) log_sums[i] = ones[first + i] + zeros[first + i];
      take(log_sums.data(), log_sums.data());
      take(zeros.data() + first, log_zeros.data());
      take(ones.data() + first, logs.odds.data() + first);
      for (size_t i = 0; i < count; ++i) {
        logs.odds[first + i] -= log_zeros[i];
        logs.constants[k] -= logs.zeros[first + i] = log_sums[i] - log_zeros[i];
      }
    }
  }
}

/// Components with equal shares of the rows and theta_kd uniform on (1/4, 3/4).
void BernoulliMixture::draw(double rows, uint64_t seed, Purpose purpose, uint64_t iteration,
                            BernoulliPosterior& out) const {
  const size_t components = weights_prior_.size(), columns = ones_prior_.size();
  const double size = rows / static_cast<double>(components);
  out.weights.resize(components);
  for (Array<double>* array : {&out.ones, &out.zeros}) array->resize(components * columns);
  for (size_t k = 0; k < components; ++k) {
    RandomStream random(seed, purpose, iteration, component_stream + k);
    out.weights[k] = weights_prior_[k] + size;
    for (size_t d = 0, i = k * columns; d < columns; ++d, ++i) {
      const double share = 0.25 + 0.5 * random.uniform();
      out.ones[i] = ones_prior_[d] + size * share;
      out.zeros[i] = zeros_prior_[d] + size * (1 - share);
    }
  }
}

/// lambdahat = (1 - r) (prior + scale * statistics) + r * draw,  lambda <- (1 - rho) lambda + rho lambdahat.
void BernoulliMixture::prepare_step(BernoulliWork& work, const GlobalStep& step) const {
  const Perturbation& perturbation = step.perturbation;
  if (perturbation.share > 0) {
    draw(perturbation.rows, perturbation.seed, Purpose::perturb, perturbation.iteration, work.drawn);
  }
  work.next.weights = posterior_.weights;
  work.next.ones = posterior_.ones;
  work.next.zeros = posterior_.zeros;
  double moved = 0, mass = 0, largest = 0;
  const auto update = [&](Array<double>& values, size_t i, double prior, double count, const Array<double>& drawn) {
    double target = step.prior.concentration(prior) + std::max(step.scale * count, 0.0);
    if (perturbation.share > 0) target = (1 - perturbation.share) * target + perturbation.share * drawn[i];
    const double before = values[i];
    values[i] = step.rho >= 1 ? target : before + step.rho * (target - before);
    moved += std::abs(values[i] - before);
    mass += before;
    largest = std::max(largest, target);
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
  if (!(largest <= largest_count && std::isfinite(moved)))
    refuse_step(step.iteration, "the expected numbers of rows");
  work.change.relative = moved / mass;
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
  double total = posterior_.total(), all = 0;
  log_ratios(&total, 1, s);
  Block ones, zeros, sums;
  for (size_t k = 0; k < weights_prior_.size(); ++k) {
    double term = posterior_.weights[k];
    log_ratios(&term, 1, s);
    term = plug_in ? s * expected.weights[k] : term - total;
    for (size_t first = k * columns; first < (k + 1) * columns; first += block) {
      const size_t count = std::min(block, (k + 1) * columns - first);
      for (size_t i = 0; i < count; ++i) {
        const double zero = expected.zeros[first + i];
        ones[i] = plug_in ? s * (expected.odds[first + i] - zero) : posterior_.ones[first + i];
        zeros[i] = plug_in ? -s * zero : posterior_.zeros[first + i];
        sums[i] = plug_in ? 0 : ones[i] + zeros[i];
      }
      for (Block* values : {&ones, &zeros, &sums}) {
        if (!plug_in) log_ratios(values->data(), count, s);
      }
      for (size_t i = 0; i < count; ++i) term += log_sum(ones[i], zeros[i]) - sums[i];
    }
    all = k > 0 ? log_sum(all, term) : term;
  }
  return tokens * all;
}

void BernoulliMixture::check_method(const RequiredFeatures& required) const {
  require_upper_or_plug_in(required, bernoulli_mixture_kind.name);
}

int64_t BernoulliMixture::duplicate_components(BernoulliWork&) const {
  const size_t components = weights_prior_.size(), columns = ones_prior_.size();
  const auto is_used = [&](size_t k) { return rows_of(k) >= least_rows_of_component; };
  const auto repeats = [&](size_t a, size_t b) {
    double distance = 0;
    for (size_t d = 0; d < columns; ++d) distance += std::abs(mean(a * columns + d) - mean(b * columns + d));
    return is_used(a) && distance < duplicate_distance * static_cast<double>(columns);
  };
  int64_t duplicates = 0;
  for (size_t k = 1; k < components; ++k) {
    size_t earlier = 0;
    while (earlier < k && !(is_used(k) && repeats(earlier, k))) ++earlier;
    duplicates += earlier < k ? 1 : 0;
  }
  return duplicates;
}

}  // namespace vtemper
