#include "models/dirichlet.h"

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/log_sum.h"

namespace vtemper {

void log_moments(const double* a, int64_t count, double s, double* out) {
  const auto log_gamma = kernels::instruction_set().double_precision.log_gamma;
  constexpr int64_t block = 512;
  double raised[block];
  for (int64_t first = 0; first < count; first += block) {
    const int64_t size = std::min(block, count - first);
    for (int64_t i = 0; i < size; ++i) raised[i] = a[first + i] + s;
    log_gamma(raised, raised, size);
    log_gamma(a + first, out + first, size);
    for (int64_t i = 0; i < size; ++i) out[first + i] = raised[i] - out[first + i];
  }
}

namespace {

/// (1 + u) log(1 + u) - u, which is about u^2 / 2.
double entropy_gap(double u) {
  constexpr double small = 0.05;
  if (std::abs(u) > small) return (1 + u) * std::log1p(u) - u;
  double sum = 0;
  for (int n = 14; n >= 2; --n) sum = 1.0 / (n * (n - 1)) - u * sum;
  return u * u * sum;
}

}  // namespace

/// By Stirling's series, of which the terms in 1 / x^3 are below rounding. With l = x + d and u = (x - l) / l:
///   l ((1 + u) log(1 + u) - u) + (u - log(1 + u)) / 2 + u^2 / (12 l (1 + u)).
double log_gamma_gap(double x, double d) {
  const double sum = x + d;
  if (std::min(x, sum) < large_parameter) return log_gamma(x) - log_gamma(sum) + d * digamma(sum);
  const double u = -d / sum;
  return sum * entropy_gap(u) + 0.5 * (u - std::log1p(u)) + u * u / (12 * sum * (1 + u));
}

double digamma_gap(double x, double d) {
  const double sum = x + d;
  if (std::min(x, sum) < large_parameter) return digamma(sum) - digamma(x);
  return std::log1p(d / x) + d / (2 * x * sum) * (1 + (x + sum) / (6 * x * sum));
}

double log_beta(double a, double b) {
  double values[3] = {a, b, a + b};
  kernels::instruction_set().double_precision.log_gamma(values, values, 3);
  return values[0] + values[1] - values[2];
}

double log_binary_moments(const double* ones, const double* zeros, int64_t count, double s) {
  constexpr int64_t block = 256;
  double moments[3 * block];  // of ones, zeros and their sums
  double sum = 0;
  for (int64_t first = 0; first < count; first += block) {
    const int64_t size = std::min(block, count - first);
    double* of_zeros = moments + size;
    double* of_sums = of_zeros + size;
    for (int64_t i = 0; i < size; ++i) {
      moments[i] = ones[first + i];
      of_zeros[i] = zeros[first + i];
      of_sums[i] = moments[i] + of_zeros[i];
    }
    log_moments(moments, 3 * size, s, moments);
    for (int64_t i = 0; i < size; ++i) sum += log_sum(moments[i], of_zeros[i]) - of_sums[i];
  }
  return sum;
}

}  // namespace vtemper
