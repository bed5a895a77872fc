#pragma once
// A plain implementation of the Gaussian mixture, for comparison: parameters as users read them, matrices by Gauss
// elimination, every expectation from its definition.

#include <cmath>
#include <vector>

#include "models/gaussian_mixture/fixtures.h"
#include "unit/kernels/kernels.h"

namespace plain {

using fixtures::Vector;
constexpr double pi = 3.14159265358979323846;

/// Inverse by Gauss-Jordan elimination with pivots; log |A| besides.
inline Vector inverse(Vector a, size_t n, double& log_determinant) {
  Vector result(n * n, 0.0);
  for (size_t i = 0; i < n; ++i) result[i * n + i] = 1;
  log_determinant = 0;
  for (size_t column = 0; column < n; ++column) {
    size_t pivot = column;
    for (size_t row = column; row < n; ++row) {
      if (std::abs(a[row * n + column]) > std::abs(a[pivot * n + column])) pivot = row;
    }
    for (size_t j = 0; j < n; ++j) {
      std::swap(a[pivot * n + j], a[column * n + j]);
      std::swap(result[pivot * n + j], result[column * n + j]);
    }
    const double value = a[column * n + column];
    log_determinant += std::log(std::abs(value));
    for (size_t j = 0; j < n; ++j) {
      a[column * n + j] /= value;
      result[column * n + j] /= value;
    }
    for (size_t row = 0; row < n; ++row) {
      const double factor = a[row * n + column];
      if (row == column || factor == 0) continue;
      for (size_t j = 0; j < n; ++j) {
        a[row * n + j] -= factor * a[column * n + j];
        result[row * n + j] -= factor * result[column * n + j];
      }
    }
  }
  return result;
}

inline double trace_of_product(const Vector& a, const Vector& b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) sum += a[i * n + j] * b[j * n + i];
  }
  return sum;
}

inline double quadratic_form(const Vector& a, const Vector& x) {
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    for (size_t j = 0; j < x.size(); ++j) sum += x[i] * a[i * x.size() + j] * x[j];
  }
  return sum;
}

inline Vector difference(const Vector& a, const Vector& b) {
  Vector result(a.size());
  for (size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}

struct PlainComponent {
  double alpha, b, nu;
  Vector m, P, V;  ///< V = W^-1
};

struct PlainPrior {
  double a0, b0, nu0;
  Vector m0, P0, V0;
};

inline double log_multigamma(double x, size_t n) {
  double sum = 0.25 * static_cast<double>(n * (n - 1)) * std::log(pi);
  for (size_t d = 0; d < n; ++d) sum += std::lgamma(x - 0.5 * static_cast<double>(d));
  return sum;
}

/// E log |Lambda|.
inline double expected_log_determinant(const PlainComponent& c) {
  const size_t n = c.m.size();
  double log_determinant = 0;
  inverse(c.V, n, log_determinant);
  double sum = static_cast<double>(n) * std::log(2.0) - log_determinant;
  for (size_t d = 0; d < n; ++d) sum += plain_digamma(0.5 * (c.nu - static_cast<double>(d)));
  return sum;
}

class PlainMixture {
 public:
  bool independent = false;
  PlainPrior prior;
  std::vector<PlainComponent> components;

  size_t columns() const { return prior.m0.size(); }

  double total() const {
    double sum = 0;
    for (const PlainComponent& c : components) sum += c.alpha;
    return sum;
  }

  /// E log p(x, z = k).
  double score(const Vector& x, size_t k) const {
    const PlainComponent& c = components[k];
    const size_t n = columns();
    double unused = 0;
    Vector W = inverse(c.V, n, unused);
    const double spread =
        independent ? c.nu * trace_of_product(W, inverse(c.P, n, unused), n) : static_cast<double>(n) / c.b;
    return plain_digamma(c.alpha) - plain_digamma(total()) + 0.5 * expected_log_determinant(c) -
           0.5 * static_cast<double>(n) * std::log(2 * pi) -
           0.5 * (spread + c.nu * quadratic_form(W, difference(x, c.m)));
  }

  /// s' E log p(globals) - E log q(globals).
  double global_bound(double power) const {
    const size_t n = columns();
    const double d = static_cast<double>(n);
    const double k = static_cast<double>(components.size());
    const double psi_total = plain_digamma(total());
    double log_prior = std::lgamma(k * prior.a0) - k * std::lgamma(prior.a0);
    double log_posterior = std::lgamma(total());
    double unused = 0, log_V0 = 0, log_P0 = 0;
    inverse(prior.V0, n, log_V0);
    if (independent) inverse(prior.P0, n, log_P0);
    const auto log_wishart = [&](double log_V, double nu) {
      return 0.5 * nu * log_V - 0.5 * nu * d * std::log(2.0) - log_multigamma(0.5 * nu, n);
    };
    for (const PlainComponent& c : components) {
      const double log_weight = plain_digamma(c.alpha) - psi_total;
      log_prior += (prior.a0 - 1) * log_weight;
      log_posterior += (c.alpha - 1) * log_weight - std::lgamma(c.alpha);
      double log_V = 0, log_P = 0;
      const Vector W = inverse(c.V, n, log_V);
      const double log_determinant = expected_log_determinant(c);
      log_prior += log_wishart(log_V0, prior.nu0) + 0.5 * (prior.nu0 - d - 1) * log_determinant -
                   0.5 * c.nu * trace_of_product(prior.V0, W, n);
      log_posterior += log_wishart(log_V, c.nu) + 0.5 * (c.nu - d - 1) * log_determinant - 0.5 * c.nu * d;
      const Vector shift = difference(c.m, prior.m0);
      if (independent) {
        const Vector covariance = inverse(c.P, n, log_P);
        log_prior += 0.5 * (log_P0 - d * std::log(2 * pi) - quadratic_form(prior.P0, shift) -
                            trace_of_product(prior.P0, covariance, n));
        log_posterior += 0.5 * (log_P - d * std::log(2 * pi) - d);
      } else {
        log_prior += 0.5 * (d * std::log(prior.b0 / (2 * pi)) + log_determinant - d * prior.b0 / c.b -
                            prior.b0 * c.nu * quadratic_form(W, shift));
        log_posterior += 0.5 * (d * std::log(c.b / (2 * pi)) + log_determinant - d);
      }
    }
    (void)unused;
    return power * log_prior - log_posterior;
  }
};

/// The model's posterior. The prior is passed in: that of an unfitted model with the same options on the same data.
inline PlainMixture plain_of(const vtemper::ConjugateModel& model, const PlainPrior& prior, bool independent) {
  using fixtures::parameter;
  const size_t n = prior.m0.size();
  const Vector alpha = parameter(model, "weights.concentration"), mean = parameter(model, "mean"),
               nu = parameter(model, "precision.dof"), W = parameter(model, "precision.scale");
  const Vector b = independent ? Vector(alpha.size(), 1.0) : parameter(model, "mean.precision_scale");
  const Vector P = independent ? parameter(model, "mean.precision") : Vector();
  PlainMixture mixture;
  mixture.independent = independent;
  mixture.prior = prior;
  for (size_t k = 0; k < alpha.size(); ++k) {
    PlainComponent c;
    c.alpha = alpha[k];
    c.b = b[k];
    c.nu = nu[k];
    c.m.assign(mean.begin() + static_cast<long>(k * n), mean.begin() + static_cast<long>((k + 1) * n));
    double unused = 0;
    const Vector scale(W.begin() + static_cast<long>(k * n * n), W.begin() + static_cast<long>((k + 1) * n * n));
    c.V = inverse(scale, n, unused);
    if (independent) {
      c.P.assign(P.begin() + static_cast<long>(k * n * n), P.begin() + static_cast<long>((k + 1) * n * n));
    }
    mixture.components.push_back(std::move(c));
  }
  return mixture;
}

/// The default prior of complete data: mean and covariance of the weighted rows.
inline PlainPrior default_prior(const Vector& values, size_t n, const Vector& weights, size_t components) {
  const size_t rows = values.size() / n;
  PlainPrior prior;
  prior.a0 = 1 / static_cast<double>(components);
  prior.b0 = 1;
  prior.nu0 = static_cast<double>(n);
  prior.m0.assign(n, 0.0);
  prior.V0.assign(n * n, 0.0);
  double total = 0;
  for (size_t i = 0; i < rows; ++i) {
    total += weights[i];
    for (size_t j = 0; j < n; ++j) prior.m0[j] += weights[i] * values[i * n + j];
  }
  for (double& value : prior.m0) value /= total;
  Vector covariance(n * n, 0.0);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t a = 0; a < n; ++a) {
      for (size_t b = 0; b < n; ++b) {
        covariance[a * n + b] +=
            weights[i] * (values[i * n + a] - prior.m0[a]) * (values[i * n + b] - prior.m0[b]) / total;
      }
    }
  }
  const double share = std::pow(static_cast<double>(components), -2 / static_cast<double>(n));
  for (size_t i = 0; i < n * n; ++i) prior.V0[i] = share * covariance[i];
  double unused = 0;
  prior.P0 = inverse(covariance, n, unused);
  return prior;
}

}  // namespace plain
