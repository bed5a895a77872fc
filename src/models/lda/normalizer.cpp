// The normaliser of tempered LDA, by the Gibbs variational value (lda.md section 1):
//   log C(T) ~ K G(s; V, eta, N/K) + D G(s; K, alpha, N/D),
//   G(s; m, a, n) = max_x n [log m + lnGamma(x+s) - lnGamma(x) + lnGamma(mx) - lnGamma(mx+s)] - KL(Dir(x 1_m) ||
//   Dir(a 1_m)),
// the bound with q(beta_k) = Dir(x 1), q(theta_d) = Dir(x' 1) for C(T) of the words and assignments together:
// point estimates of the topics take the same value, their own having no integral over beta;
// supplement eq. 6-7 sum the assignments out, which is another model than the one the updates temper.

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "models/lda/lda.h"

namespace vtemper {

namespace {

double log_gamma(double x) {
  kernels::instruction_set().double_precision.log_gamma(&x, &x, 1);
  return x;
}

double digamma(double x) {
  kernels::instruction_set().double_precision.digamma(&x, &x, 1);
  return x;
}

double gibbs_value(double s, double m, double a, double n, double x) {
  const double divergence = log_gamma(m * x) - m * log_gamma(x) - log_gamma(m * a) + m * log_gamma(a) +
                            m * (x - a) * (digamma(x) - digamma(m * x));
  return n * (std::log(m) + log_gamma(x + s) - log_gamma(x) + log_gamma(m * x) - log_gamma(m * x + s)) - divergence;
}

/// Largest Gibbs value over log x in [log a, log max(50, a)]: a coarse grid, then golden sections around its best
/// point.
double best_gibbs_value(double s, double m, double a, double n) {
  constexpr int grid = 40;
  constexpr double largest = 50;
  const double low = std::log(a);
  const double step = (std::log(std::max(a, largest)) - low) / grid;
  const auto value = [&](double log_x) { return gibbs_value(s, m, a, n, std::exp(log_x)); };
  int best = 0;
  double best_value = value(low);
  for (int i = 1; i <= grid; ++i) {
    const double at = value(low + i * step);
    if (at > best_value) {
      best = i;
      best_value = at;
    }
  }
  constexpr double golden = 0.6180339887498949;
  double left = low + std::max(best - 1, 0) * step;
  double right = low + std::min(best + 1, grid) * step;
  for (int i = 0; i < 40; ++i) {
    const double inner_left = right - golden * (right - left);
    const double inner_right = left + golden * (right - left);
    const double value_left = value(inner_left);
    const double value_right = value(inner_right);
    best_value = std::max({best_value, value_left, value_right});
    (value_left > value_right ? right : left) = value_left > value_right ? inner_right : inner_left;
  }
  return best_value;
}

}  // namespace

double lda_document_slope(double s, int64_t topics, double alpha, double tokens) {
  const double per_topic = tokens / static_cast<double>(topics);
  double slope = alpha + s * per_topic;
  kernels::instruction_set().double_precision.trigamma(&slope, &slope, 1);
  return s * s * per_topic * slope;
}

double lda_log_normalizer(double s, int64_t topics, int64_t words, double alpha, double eta, double rows,
                          double tokens) {
  if (s == 1) return 0;
  const double k = static_cast<double>(topics);
  return k * best_gibbs_value(s, static_cast<double>(words), eta, tokens / k) +
         rows * best_gibbs_value(s, k, alpha, tokens / rows);
}

}  // namespace vtemper
