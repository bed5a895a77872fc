#pragma once
// Scores of a fitted model at temperature 1.

#include <string_view>
#include <vector>

#include "models/model.h"

namespace vtemper {

/// Options of infer and evaluate.
OptionTable evaluate_options();

/// "predictive", "perplexity", "elbo", "log_normalizer" or the mean of a measure of evaluate_topics. heldout may be
/// NULL: rows are then split by the options heldout_share and seed. observed may be NULL for measures that use no
/// data.
double evaluate(const Model& model, const Data* observed, const Data* heldout, std::string_view measure,
                const OptionValues& options);

/// If the table of the model is divided over ranks, borrows the rows of it that both data sets need; heldout may be
/// NULL. Collective in that case; otherwise does nothing.
void borrow_rows(const Model& model, const Data& data, const Data* heldout);

/// Refuses options without effect on an inferred quantity.
void check_infer_options(const Model& model, std::string_view quantity, const OptionValues& options);

/// A measure of topic_quality.h for each component of a word model; option top_words.
std::vector<double> evaluate_topics(const Model& model, const Data* reference, std::string_view measure,
                                    const OptionValues& options);

}  // namespace vtemper
