#include "models/bernoulli_mixture/learned_prior.h"

#include <algorithm>
#include <cmath>

#include "models/bernoulli_mixture/bernoulli_mixture.h"

namespace vtemper {

namespace {

/// (1 / K) sum_kd b1 E log theta_kd + b0 E log(1 - theta_kd)
double mean_of_logs(const BetaPrior& prior, const BernoulliPosterior& q) {
  const size_t columns = prior.ones.size(), components = q.constants.size();
  double sum = 0;
  for (size_t k = 0, i = 0; k < components; ++k) {
    for (size_t d = 0; d < columns; ++d, ++i) {
      sum += prior.ones[d] * (q.odds[i] - q.omissions[i]) - prior.zeros[d] * q.omissions[i];
    }
  }
  return sum / static_cast<double>(components);
}

/// The bound's slope in c divided by K, and the slope's own derivative in log c.
struct Slope {
  double value = 0, change = 0;
};

Slope slope_at(double c, double of_components, const BetaPrior& prior, StrengthWork& work) {
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
    const Slope slope = slope_at(std::exp(at), of_components, prior, work);
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
