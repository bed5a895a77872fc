#include "models/mixture_weights.h"

#include <algorithm>

#include "kernels/dispatch.h"
#include "kernels/scalar_functions.h"
#include "models/dirichlet.h"

namespace vtemper {

MixtureWeights::MixtureWeights(const std::vector<double>& prior_of_weights)
    : prior(prior_of_weights.size()), concentration(prior.size()), expected_logs(prior.size()) {
  std::copy(prior_of_weights.begin(), prior_of_weights.end(), prior.begin());
}

void MixtureWeights::refresh() {
  total = kernels::instruction_set().double_precision.sum(concentration.data(),
                                                          static_cast<int64_t>(concentration.size()));
  take_logs(false, expected_logs);
}

void MixtureWeights::take_logs(bool of_means, Array<double>& out) const {
  const auto& table = kernels::instruction_set().double_precision;
  const auto logarithm = of_means ? table.logarithm : table.digamma;
  double of_total = 0;
  logarithm(&total, &of_total, 1);
  out.resize(concentration.size());
  logarithm(concentration.data(), out.data(), static_cast<int64_t>(out.size()));
  for (double& log : out) log -= of_total;
}

double MixtureWeights::bound(const PriorPower& power) const {
  double prior_total = 0, of_prior = 0, of_posterior = 0, logs = 0;
  for (size_t k = 0; k < prior.size(); ++k) {
    prior_total += prior[k];
    of_prior += (prior[k] - 1) * expected_logs[k] - log_gamma(prior[k]);
    of_posterior += (concentration[k] - 1) * expected_logs[k] - log_gamma(concentration[k]);
    logs += expected_logs[k];
  }
  if (std::min(prior_total, total) > large_parameter) return bound_of_large(power);
  const double bound = power.inverse * (of_prior + log_gamma(prior_total)) - of_posterior - log_gamma(total);
  // A power of natural parameters: s a in place of 1 + s (a - 1).
  return power.natural_parameters ? bound + (power.inverse - 1) * logs : bound;
}

/// The same where the logarithms of Gamma functions would cancel: the divergence from the prior at its power, and the
/// normaliser of that power, which is 0 at s = 1.
double MixtureWeights::bound_of_large(const PriorPower& power) const {
  double of_prior = 0, of_power = 0, prior_total = 0, power_total = 0, rows_total = 0, bound = 0;
  for (size_t k = 0; k < prior.size(); ++k) {
    const double at_power = power.concentration(prior[k]), rows = concentration[k] - at_power;
    bound -= log_gamma_gap(at_power, rows);
    rows_total += rows;
    prior_total += prior[k];
    power_total += at_power;
    of_prior += log_gamma(prior[k]);
    of_power += log_gamma(at_power);
  }
  bound += log_gamma_gap(power_total, rows_total);
  if (power.inverse == 1) return bound;
  return bound + of_power - log_gamma(power_total) - power.inverse * (of_prior - log_gamma(prior_total));
}

double MixtureWeights::log_moment(size_t k, double s, bool plug_in) const {
  if (plug_in) return s * expected_logs[k];
  const double alpha = concentration[k];
  return log_gamma(alpha + s) + log_gamma(total) - log_gamma(alpha) - log_gamma(total + s);
}

}  // namespace vtemper
