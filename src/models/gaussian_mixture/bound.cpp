// A Gaussian mixture's terms of the objective: the bound of its global parameters and log C of the tempered model.

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/gaussian_mixture/gaussian_mixture.h"
#include "models/log_sum.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

constexpr double cluster_temperature = 1.3;

/// log Gamma_D(x) without the constant D (D - 1) / 4 log pi.
double log_gamma_product(double x, int64_t columns) {
  constexpr int64_t block = 64;
  double values[block];
  const auto& kernels = kernels::instruction_set().double_precision;
  double sum = 0;
  for (int64_t first = 0; first < columns; first += block) {
    const int64_t count = std::min(block, columns - first);
    for (int64_t d = 0; d < count; ++d) values[d] = x - 0.5 * static_cast<double>(first + d);
    kernels.log_gamma(values, values, count);
    sum += kernels.sum(values, count);
  }
  return sum;
}

/// log of the normaliser of Wishart(Lambda; W, nu), with log |W^-1|.
double log_wishart(double log_inverse_scale, double dof, int64_t columns) {
  const double n = static_cast<double>(columns);
  return 0.5 * dof * (log_inverse_scale - n * std::log(2.0)) - 0.25 * n * (n - 1) * log_pi -
         log_gamma_product(0.5 * dof, columns);
}

/// (x - y)' A (x - y).
double squared_distance(const double* a, const double* x, const double* y, int64_t n) {
  return linalg::squared_distance(linalg::square_of(a, n), linalg::vector_of(x, n), linalg::vector_of(y, n));
}

}  // namespace

/// s' E log p - E log q of pi and of every (mu_k, Lambda_k) (Bishop 2006, equations 10.72 to 10.77).
double GaussianMixture::global_bound(const PriorPower& power) const {
  const Components& components = *components_;
  const int64_t columns = components.columns();
  const double n = static_cast<double>(columns);
  const auto dot = kernels::instruction_set().double_precision.dot;

  double bound = weights_.bound(power);
  const double prior_wishart = log_wishart(prior_.log_inverse_scale, prior_.dof, columns);
  for (int64_t k = 0; k < components.count(); ++k) {
    const double dof = components.dof(k);
    const double log_determinant = components.expected_log_determinant(k);
    double log_prior = prior_wishart + 0.5 * (prior_.dof - n - 1) * log_determinant -
                       0.5 * dof * dot(prior_.inverse_scale.data(), components.scale(k), columns * columns);
    double log_posterior = log_wishart(components.log_inverse_scale(k), dof, columns) +
                           0.5 * (dof - n - 1) * log_determinant - 0.5 * dof * n;
    if (components.independent()) {
      log_prior +=
          0.5 * (prior_.log_mean_precision - n * log_two_pi -
                 squared_distance(prior_.mean_precision.data(), components.mean(k), prior_.mean.data(), columns) -
                 dot(prior_.mean_precision.data(), components.mean_covariance(k), columns * columns));
      log_posterior += 0.5 * (components.log_mean_precision(k) - n * log_two_pi - n);
    } else {
      log_prior += 0.5 * (n * (std::log(prior_.mean_scale) - log_two_pi) + log_determinant -
                          n * prior_.mean_scale / components.mean_scale(k) -
                          prior_.mean_scale * dof *
                              squared_distance(components.scale(k), components.mean(k), prior_.mean.data(), columns));
      log_posterior += 0.5 * (n * (std::log(components.mean_scale(k)) - log_two_pi) + log_determinant - n);
    }
    bound += power.inverse * log_prior - log_posterior;
  }
  return bound;
}

/// N log c(T) with the normaliser of one row given the parameters,
///   c(T) = T^(D/2) (2 pi)^((D/2)(1 - s)) sum_k pi_k^s |Lambda_k|^(-(1 - s)/2),
/// under the current posterior: `upper` bounds E log c by log E c, `plug_in` has exp E log of each factor
/// (README.md section 3).
double GaussianMixture::log_normalizer(const Normalizer& normalizer, double inverse_temperature, double rows,
                                       double) const {
  require_initialized();
  // Grid entries are compared with each other, so all of them use the same bound: exp E log is below E also at s = 1.
  if (inverse_temperature == 1 && normalizer.estimate != "plug_in") return 0;
  const Components& components = *components_;
  const double s = inverse_temperature;
  const double n = static_cast<double>(components.columns());
  const double power = -0.5 * (1 - s);
  const bool plug_in = normalizer.estimate == "plug_in";
  LogSum sum;
  for (int64_t k = 0; k < components.count(); ++k) {
    const double of_weight = weights_.log_moment(static_cast<size_t>(k), s, plug_in);
    const double dof = components.dof(k);
    sum.add(plug_in ? of_weight + power * components.expected_log_determinant(k)
                    : of_weight + power * (n * std::log(2.0) - components.log_inverse_scale(k)) +
                          log_gamma_product(0.5 * dof + power, components.columns()) -
                          log_gamma_product(0.5 * dof, components.columns()));
  }
  return rows * (0.5 * n * ((1 - s) * log_two_pi - std::log(s)) + sum.value());
}

/// A start from clusters is lost if all components merge, and merging begins not far above T = 1; slight heat
/// corrects the clusters' boundaries (tests/reproduce/mixtures.md). With a random start, above T = 1 components that
/// adapt their covariance approach each other by a factor 1/T per step wherever responsibilities are nearly even;
/// what keeps them apart is the spread of the scores, which grows with the number of columns. 5 (and 3 for entropies)
/// suit 30 columns (README.md section 4): hotter starts kill components there, and 5 merges all of them with 2 or 4
/// columns, where 1.2 to 1.7 helps.
StartTemperatures GaussianMixture::start_temperatures(double, double) const {
  if (settings_.k_means) return {cluster_temperature, 0, cluster_temperature, cluster_temperature};
  const double share = std::min(1.0, std::pow(static_cast<double>(columns()) / 30, 1.2));
  return {1 + 4 * share, 1 + 2 * share, 1 + 4 * share};
}

void GaussianMixture::check_method(const RequiredFeatures& required) const {
  if (required.natural_prior_power) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "temperature_entropy natural_parameters divides the degrees of freedom of gaussian_mixture's Wishart "
                "distributions by T, which leaves their domain; temperature_entropy density does not");
  }
  if (!required.normalizer) return;
  const std::string& estimate = required.normalizer->estimate;
  if (estimate == "prior" || estimate == "monte_carlo") {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("temperature_normalizer ", estimate,
                        " is infinite for gaussian_mixture: the expectation of |Lambda|^(-N (1 - 1/T) / 2) under its "
                        "Wishart prior does not exist; temperature_normalizer upper bounds log C under the "
                        "current posterior"));
  }
  DenseMixture::check_method(required);
}

}  // namespace vtemper
