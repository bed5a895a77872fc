// Layout of the statistics passed between the two halves of a step.

#include "inference/conjugate_state.h"
#include "inference/gradient_state.h"

namespace vtemper {

std::vector<Quantity> ConjugateState::statistics_layout() const {
  std::vector<Quantity> arrays = {
      {"sums.count", {}, false, "Rows."},
      {"sums.rows", {}, false, "Rows by weight."},
      {"sums.empty_rows", {}, false, "Rows without entries."},
      {"sums.tokens", {}, false, "Tokens of the rows, by weight."},
      {"sums.expected_log_likelihood", {}, false, "E log p of the rows, without the prior of their own posteriors."},
      {"sums.bound", {}, false, "The rows' part of the bound at the temperature of the step."},
      {"sums.inverse_temperature", {}, false, "Inverse temperatures of the rows, by weight."},
      {"sums.cold_bound", {}, false, "The rows' part of the bound at T = 1; NaN in steps that do not ask for it."}};
  if (!measurement.empty()) {
    arrays.push_back({"temperature.measurement",
                      {static_cast<int64_t>(measurement.size())},
                      false,
                      "What the learned temperature needs from the step."});
  }
  for (Quantity& array : fit->statistics()) arrays.push_back(std::move(array));
  return arrays;
}

std::vector<Quantity> GradientState::statistics_layout() const {
  std::vector<Quantity> arrays = {
      {"sums.count", {}, false, "Rows."},
      {"sums.rows", {}, false, "Rows by weight."},
      {"sums.elbo", {}, false, "ELBO of the rows at T = 1."},
      {"sums.objective", {}, false, "What the fit maximises, without a constraint."},
      {"sums.expected_log_likelihood", {}, false, "E log p(x | z) of the rows."},
      {"sums.pull", {}, false, "Size of the objective's gradient in the posterior's layers, in steps of a report."},
      {"sums.force", {}, false, "The same of the constraint."},
      {"sums.active_units", {}, false, "Active latent units times the weight of the rows, in steps of a report."}};
  if (!statistics.empty()) {
    arrays.push_back({"proximity.statistics",
                      {static_cast<int64_t>(statistics.size())},
                      false,
                      "The constrained statistic, summed over the rows."});
  }
  arrays.push_back(
      {"gradient",
       {by_gradient().values().length},
       false,
       "Gradient of the objective minus that of the constraint, for all parameters in the order of the model file."});
  return arrays;
}

}  // namespace vtemper
