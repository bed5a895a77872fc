#include "models/dense_mixture.h"

#include <algorithm>

#include "models/columns.h"
#include "models/dense_rows.h"
#include "support/error.h"
#include "support/text.h"
#include "support/threads.h"

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

DenseMixture::DenseMixture(const ModelKind& kind, OptionValues options)
    : ConjugateModel(kind, std::move(options)),
      weights_(reals_of_each(options_, "weights_prior", options_.integer("components"), "components")) {
  if (options_.boolean("learn_priors") && count() < 2) {
    throw Error(VTEMPER_ERROR_OPTION, "learn_priors fits the prior to the components and needs at least two");
  }
}

void DenseMixture::check(const Data& data) const {
  require_initialized();
  require_rows(data);
  require_columns(data, columns(), names_);
}

void DenseMixture::read_parameter(std::string_view name, const Sink& sink) const {
  require_initialized();
  read_from(parameter_table(), name, sink);
}

std::vector<Quantity> DenseMixture::local_quantities(const Data& data) const {
  return {{"responsibilities", {data.rows(), count()}, false, "Probabilities that the row comes from the component."},
          {"log_density", {data.rows()}, false, about_density()},
          {"completed",
           {data.rows(), data.columns()},
           false,
           "The row's values, with missing ones replaced by their expectation given the others."}};
}

void DenseMixture::infer(const Data& data, std::string_view quantity, const OptionValues& evaluate,
                         const Sink& sink) const {
  check(data);
  infer_rows(data, quantity, usable_threads(evaluate.integer("threads")), sink);
}

void DenseMixture::score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores,
                              double* tokens) const {
  infer(rows.observed, "log_density", evaluate, {scores, 1, 0});
  std::fill_n(tokens, rows.observed.rows(), 1.0);
}

MethodDefaults DenseMixture::method_defaults() const {
  MethodDefaults defaults;
  defaults.all_rows = true;
  defaults.temperature_shape = defaults.perturbation_shape = "linear";
  defaults.temperature_steps = defaults.perturbation_steps = 50;
  defaults.perturbation_start = 0.25;
  return defaults;
}

/// Components without rows all equal the prior and are not duplicates.
int64_t DenseMixture::duplicate_of(int64_t k) const {
  for (int64_t a = 0; a < k && weights_.is_used(k); ++a) {
    if (weights_.is_used(a) && are_alike(a, k)) return a;
  }
  return -1;
}

int64_t DenseMixture::duplicate_components(LocalWork&) const {
  int64_t duplicates = 0;
  for (int64_t k = 1; k < count(); ++k) duplicates += duplicate_of(k) >= 0 ? 1 : 0;
  return duplicates;
}

Parameter DenseMixture::mean_weights() const {
  return {{"weights", {count()}, false, "Mean weights of the components."},
          [this](int64_t k) { return weights_.mean(k); }};
}

Parameter DenseMixture::rows_of_components() const {
  return {{"rows", {count()}, false, "Rows that each component holds, by weight."},
          [this](int64_t k) { return weights_.rows(k); }};
}

void DenseMixture::check_method(const RequiredFeatures& required) const {
  const std::string estimate = required.normalizer ? required.normalizer->estimate : "auto";
  if (estimate == "auto" || estimate == "upper" || estimate == "plug_in") return;
  throw Error(VTEMPER_ERROR_UNSUPPORTED, message("temperature_normalizer ", estimate, " is not defined for ",
                                                 kind().name, "; its estimates are upper and plug_in"));
}

}  // namespace vtemper
