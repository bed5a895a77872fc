#pragma once
// What mixtures over dense rows have in common beside the responsibilities of their rows (mixture_rows.h): the prior
// of the weights, the checks of data and methods, defaults, what is inferred of rows, held-out scores.

#include <vector>

#include "models/conjugate_model.h"

namespace vtemper {

/// Components that hold fewer are unused.
constexpr double least_rows_of_component = 0.5;

/// Of the Dirichlet prior of K = option `components` weights.
OptionEntry weights_prior_option();
/// Weight of all rows. Error(DATA) where there is none.
double weight_to_fit(const Data& data);

MethodDefaults mixture_method_defaults();
/// Error(UNSUPPORTED) for estimates of log C other than upper and plug_in.
void require_upper_or_plug_in(const RequiredFeatures& required, const char* kind);

/// Responsibilities, log densities, completed rows.
std::vector<Quantity> mixture_row_quantities(const Data& data, int64_t components, const char* about_density);
/// Weighted sum of the rows' log densities; each row counts as one token.
double score_of_densities(const Data& data, const std::vector<double>& densities, double& tokens);

}  // namespace vtemper
