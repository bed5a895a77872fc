#include "models/dense_mixture.h"

#include "support/error.h"
#include "support/text.h"

namespace vtemper {

OptionEntry weights_prior_option() {
  return {"weights_prior",
          VTEMPER_OPTION_REALS,
          "auto",
          1e-8,
          1e12,
          "",
          "Dirichlet prior of the weights: one value or K of them; auto: 1/K.",
          [](const OptionValues& options) {
            return number_text(1.0 / static_cast<double>(options.integer("components")));
          }};
}

double weight_to_fit(const Data& data) {
  const double weight = data_weight(data);
  if (weight > 0) return weight;
  throw Error(VTEMPER_ERROR_DATA, "all rows have the weight 0, so there is nothing to fit");
}

MethodDefaults mixture_method_defaults() {
  MethodDefaults defaults;
  defaults.all_rows = true;
  defaults.temperature_shape = defaults.perturbation_shape = "linear";
  defaults.temperature_steps = defaults.perturbation_steps = 50;
  defaults.perturbation_start = 0.25;
  return defaults;
}

void require_upper_or_plug_in(const RequiredFeatures& required, const char* kind) {
  const std::string estimate = required.normalizer ? required.normalizer->estimate : "auto";
  if (estimate == "auto" || estimate == "upper" || estimate == "plug_in") return;
  throw Error(VTEMPER_ERROR_UNSUPPORTED, sentence("temperature_normalizer ", estimate, " has no meaning for ", kind,
                                                  "; its estimates are upper and plug_in"));
}

std::vector<Quantity> mixture_row_quantities(const Data& data, int64_t components, const char* about_density) {
  return {
      {"responsibilities", {data.rows(), components}, false, "Probabilities that the row comes from the component."},
      {"log_density", {data.rows()}, false, about_density},
      {"completed",
       {data.rows(), data.columns()},
       false,
       "The row's values; in place of missing ones their expectation given the others."}};
}

double score_of_densities(const Data& data, const std::vector<double>& densities, double& tokens) {
  double score = tokens = 0;
  for (int64_t row = 0; row < data.rows(); ++row) {
    score += data.weight(row) * densities[static_cast<size_t>(row)];
    tokens += data.weight(row);
  }
  return score;
}

}  // namespace vtemper
