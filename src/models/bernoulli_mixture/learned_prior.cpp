#include "models/bernoulli_mixture/learned_prior.h"

#include <algorithm>
#include <cmath>

#include "models/bernoulli_mixture/bernoulli_mixture.h"
#include "models/dirichlet.h"

namespace vtemper {

namespace {

/// Whether the column's terms below would be rounding, because the prior outweighs the rows by far.
bool is_strong(const BetaPrior& prior, size_t d) {
  return prior.strength * (prior.ones[d] + prior.zeros[d]) > large_parameter;
}

/// (1 / K) sum_kd b1 E log theta_kd + b0 E log(1 - theta_kd), over the columns without a strong prior
double mean_of_logs(const BetaPrior& prior, const BernoulliPosterior& q) {
  const size_t columns = prior.ones.size(), components = q.constants.size();
  double sum = 0;
  for (size_t k = 0, i = 0; k < components; ++k) {
    for (size_t d = 0; d < columns; ++d, ++i) {
      if (is_strong(prior, d)) continue;
      sum += prior.ones[d] * (q.odds[i] - q.omissions[i]) - prior.zeros[d] * q.omissions[i];
    }
  }
  return sum / static_cast<double>(components);
}

/// The bound's slope in c divided by K, and the slope's own derivative in log c.
struct Slope {
  double value = 0, change = 0;
};

/// Of a column with a strong prior, by gaps: with l the posterior and a = c b,
///   (1 / K) sum_k b1 [psi(l1) - psi(a1)] + b0 [psi(l0) - psi(a0)] - (b1 + b0) [psi(l1 + l0) - psi(a1 + a0)],
/// and its derivative by x^2 psi'(x) - x = 1/2 + 1 / (6 x) - ...
Slope slope_of_strong(double c, size_t d, const BetaPrior& prior, const BernoulliPosterior& q) {
  const size_t columns = prior.ones.size(), components = q.constants.size();
  const double one = prior.ones[d], zero = prior.zeros[d];
  Slope slope;
  for (size_t i = d; i < q.ones.size(); i += columns) {
    const double of_ones = q.ones[i] - c * one, of_zeros = q.zeros[i] - c * zero;
    slope.value += one * digamma_gap(c * one, of_ones) + zero * digamma_gap(c * zero, of_zeros) -
                   (one + zero) * digamma_gap(c * (one + zero), of_ones + of_zeros);
  }
  slope.value /= static_cast<double>(components);
  const auto curvature = [](double x) {
    if (x > large_parameter) return 0.5 + 1 / (6 * x);
    double trigamma = 0;
    kernels::instruction_set().double_precision.trigamma(&x, &trigamma, 1);
    return x * x * trigamma - x;
  };
  slope.change = (curvature(c * (one + zero)) - curvature(c * one) - curvature(c * zero)) / c;
  return slope;
}

Slope slope_at(double c, double of_components, const BetaPrior& prior, const BernoulliPosterior& posterior,
               StrengthWork& work) {
  const auto& kernels = kernels::instruction_set().double_precision;
  const auto length = static_cast<int64_t>(work.arguments.size());
  for (size_t d = 0, i = 0; d < prior.ones.size(); ++d, i += 3) {
    work.arguments[i] = c * prior.ones[d];
    work.arguments[i + 1] = c * prior.zeros[d];
    work.arguments[i + 2] = c * (prior.ones[d] + prior.zeros[d]);
  }
  kernels.digamma(work.arguments.data(), work.digammas.data(), length);
  kernels.trigamma(work.arguments.data(), work.trigammas.data(), length);
  Slope slope = {of_components, 0};
  for (size_t d = 0, i = 0; d < prior.ones.size(); ++d, i += 3) {
    if (is_strong(prior, d)) {
      const Slope of_column = slope_of_strong(c, d, prior, posterior);
      slope.value += of_column.value;
      slope.change += of_column.change;
      continue;
    }
    const double one = prior.ones[d], zero = prior.zeros[d], both = one + zero;
    slope.value += both * work.digammas[i + 2] - one * work.digammas[i] - zero * work.digammas[i + 1];
    slope.change += c * (both * both * work.trigammas[i + 2] - one * one * work.trigammas[i] -
                         zero * zero * work.trigammas[i + 1]);
  }
  return slope;
}

}  // namespace

void StrengthWork::reserve(size_t columns) {
  for (Array<double>* array : {&arguments, &digammas, &trigammas}) array->resize(3 * columns);
}

/// The bound's slope in c, divided by K, decreases in c (the log partition function of a Beta is convex), so Newton's
/// steps in log c, halved where they leave the interval known to hold the root, find it.
double best_strength(const BetaPrior& prior, const BernoulliPosterior& posterior, double largest,
                     StrengthWork& work) {
  constexpr int most_rounds = 60;
  constexpr double tolerance = 1e-8;  // relative
  const double of_components = mean_of_logs(prior, posterior);
  if (!std::isfinite(of_components)) return prior.strength;
  double low = std::log(least_strength), high = std::log(std::clamp(largest, least_strength, most_strength));
  double at = std::clamp(std::log(prior.strength), low, high);
  for (int round = 0; round < most_rounds; ++round) {
    const Slope slope = slope_at(std::exp(at), of_components, prior, posterior, work);
    (slope.value > 0 ? low : high) = at;
    double next = at - slope.value / slope.change;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool found = std::abs(next - at) < tolerance;
    at = next;
    if (found) break;
  }
  return std::clamp(std::exp(at), least_strength, most_strength);
}

}  // namespace vtemper
