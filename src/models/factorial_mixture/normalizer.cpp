// Normaliser of the tempered factorial mixture (README.md section 2). For one row, whatever the means,
//   c_T = integral over x and sum over z of p(x, z)^s = (2 pi sigma^2)^{(1 - s) D/2} T^{D/2}
//         prod_k { pi_k^s + (1 - pi_k)^s },   s = 1/T.
// The supplement of Mandt 2016 (eq. 12-14) omits the first factor, which is consistent with updates that omit the
// Gaussian constant of the likelihood, but not with the updates used here. Learned activation probabilities: log C =
// sum_k log of the integral over Beta(pi_k) of { ... }^N, by quadrature. Learned noise: the integral over the Gamma
// prior is infinite unless (1 - s) N D / 2 < its shape.

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "kernels/scalar_functions.h"
#include "models/dirichlet.h"
#include "models/factorial_mixture/factorial_mixture.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

double log_sum(double a, double b) {
  const double largest = std::max(a, b);
  return largest + std::log(std::exp(a - largest) + std::exp(b - largest));
}

/// log E[pi^s] under Beta(a, b).
double log_moment(double a, double b, double s) {
  return log_gamma(a + s) - log_gamma(a) + log_gamma(a + b) - log_gamma(a + b + s);
}

bool is_exact(const std::string& estimate) {
  return estimate == "auto" || estimate == "exact";
}

}  // namespace

double log_activation_normalizer(const ActivationPrior& prior, double s, double rows) {
  // In u = logit pi, where the integrand is Beta(pi) pi (1 - pi) { pi^s + (1 - pi)^s }^rows.
  const double log_constant = log_beta(prior.on, prior.off);
  const auto log_integrand = [&](double u) {
    const double log_on = -log_sum(0, -u);
    const double log_off = -log_sum(0, u);
    return prior.on * log_on + prior.off * log_off - log_constant + rows * log_sum(s * log_on, s * log_off);
  };
  // The peak: near the prior's if the prior is strong, otherwise near 0, where the power of the sum peaks.
  const double total = prior.on + prior.off;
  const double weight = rows * (1 - s);
  double peak = (std::log(prior.on) - std::log(prior.off)) * total / (total + weight);
  double step = 1;
  for (double best = log_integrand(peak); step > 1e-9; step /= 2) {
    for (const double next : {peak - step, peak + step}) {
      const double value = log_integrand(next);
      if (value <= best) continue;
      best = value;
      peak = next;
      step *= 4;
      break;
    }
  }
  // Trapezoidal rule in t with u = peak + width sinh t: fine near the peak, coarse far out in the tails.
  const double top = log_integrand(peak);
  const double width = std::min(1.0, 1 / std::sqrt(weight * s / 4 + std::min(prior.on, prior.off)));
  const double furthest = 745 / std::min({prior.on, prior.off, 1.0});
  constexpr double spacing = 1.0 / 64;
  const auto ends = static_cast<int64_t>(std::ceil(std::asinh(furthest / width) / spacing));
  double sum = 0;
  for (int64_t i = -ends; i <= ends; ++i) {
    const double t = static_cast<double>(i) * spacing;
    sum += std::exp(log_integrand(peak + width * std::sinh(t)) - top) * std::cosh(t);
  }
  return top + std::log(sum * spacing * width);
}

double FactorialMixture::log_normalizer(const Normalizer& normalizer, double s, double rows, double) const {
  require_initialized();
  const FactorialComponents& components = *components_;
  const ComponentPriors& priors = components.priors();
  const bool exact = is_exact(normalizer.estimate);
  const bool plug_in = normalizer.estimate == "plug_in";
  // Grid entries are compared with each other, so plug_in is used at s = 1 too, where exp E log pi is also below E
  // pi.
  if (s == 1 && !(plug_in && priors.learn_activations)) return 0;
  if (exact && priors.learn_noise) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "log C(T) is infinite with a learned noise variance; temperature_normalizer upper uses the "
                "normaliser of each row under the current posterior");
  }
  const double half = static_cast<double>(columns()) / 2;
  double per_row = half * (-std::log(s) + (1 - s) * (log_two_pi - components.log_precision()));
  double total = 0;
  double of_last_prior = 0;
  for (int64_t k = 0; k < components.size(); ++k) {
    if (!priors.learn_activations || plug_in) {
      per_row += log_sum(s * components.log_on(k), s * components.log_off(k));
    } else if (exact) {
      const ActivationPrior& prior = priors.activations[static_cast<size_t>(k)];
      const ActivationPrior& last = priors.activations[static_cast<size_t>(std::max<int64_t>(k - 1, 0))];
      if (k == 0 || prior.on != last.on || prior.off != last.off) {
        of_last_prior = log_activation_normalizer(prior, s, rows);
      }
      total += of_last_prior;
    } else {
      const double on = components.activation_on(k);
      const double off = components.activation_off(k);
      per_row += log_sum(log_moment(on, off, s), log_moment(off, on, s));
    }
  }
  return total + rows * per_row;
}

void FactorialMixture::check_method(const RequiredFeatures& required) const {
  if (!required.normalizer) return;
  const std::string& estimate = required.normalizer->estimate;
  if (!is_exact(estimate) && estimate != "upper" && estimate != "plug_in") {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("temperature_normalizer ", estimate,
                        " is not defined for factorial_mixture; its estimates are exact, upper and plug_in"));
  }
  if (!is_exact(estimate)) return;
  if (settings_.learn_noise && required.learned_temperature) {
    throw Error(
        VTEMPER_ERROR_UNSUPPORTED,
        "with learn_noise_variance and the exact normaliser no temperature can be learned: log C(T) is infinite, "
        "since tempered rows have too little weight against the Gamma prior's large variances; "
        "temperature_normalizer upper uses the normaliser of each row under the current posterior");
  }
  if (required.row_temperatures && settings_.learn_activations) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "with learn_activation_probability there is no exact normaliser of a single row, which temperature "
                "local needs; temperature_normalizer upper uses that under the current posterior");
  }
}

bool FactorialMixture::normalizer_follows_globals(const Normalizer& normalizer) const {
  return !is_exact(normalizer.estimate) && (settings_.learn_noise || settings_.learn_activations);
}

/// At T the N rows count as N / T, so a mean has posterior variance about T sigma^2 / (N pi). Being active costs a
/// row D / (2 N pi) nats whatever T, while its gain is divided by T. If D is large relative to N pi, a hot start
/// therefore switches components off, and a component without rows never recovers.
StartTemperatures FactorialMixture::start_temperatures(double rows, double) const {
  constexpr double usual = 10;
  double active = 0;
  for (const double probability : settings_.activation_probability) active += probability;
  active /= static_cast<double>(settings_.components);
  const double share = std::clamp(rows * active / static_cast<double>(columns()), 0.0, 1.0);
  constexpr double margin = 2;
  constexpr double hottest = 1000;
  StartTemperatures start;
  start.schedule = start.entropy_schedule = 1 + (usual - 1) * share;
  // A learned temperature starts where the tempered noise matches the residuals, so the grid must extend that far.
  start.grid = std::clamp(margin * initial_residual_, usual, hottest);
  return start;
}

MethodDefaults FactorialMixture::method_defaults(double) const {
  MethodDefaults defaults;
  defaults.all_rows = true;
  defaults.passes = 300;
  defaults.tolerance = 1e-7;
  defaults.temperature_shape = "linear";
  defaults.temperature_steps = 100;
  defaults.temperature_estimate = "smoothed";
  defaults.temperature_normalizer = "exact";
  return defaults;
}

}  // namespace vtemper
