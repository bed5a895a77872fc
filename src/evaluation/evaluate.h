#pragma once
// Scores of a fitted model at temperature 1.

#include "models/conjugate_model.h"

namespace vtemper {

/// Options of infer and evaluate.
OptionTable evaluate_options();

/// "predictive", "perplexity" or "elbo". heldout may be NULL: rows are split by the options heldout_share and seed.
double evaluate(const ConjugateModel& model, const Data& observed, const Data* heldout, std::string_view measure,
                const OptionValues& options);

/// The n best columns of a component, best first.
void rank_words(const ConjugateModel& model, int64_t component, std::string_view how, int64_t n, int64_t* indices,
                double* scores);

}  // namespace vtemper
