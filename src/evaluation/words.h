#pragma once
// Ranking words under components that are distributions over words.

#include <string_view>
#include <vector>

#include "models/model.h"

namespace vtemper {

/// How words are ranked: "probability", "lift", "relevance", "frex", "label", the last three with a weight as
/// "relevance:0.3".
struct WordOrder {
  enum class Score { probability, lift, relevance, frex, label };
  Score score;
  double weight;  ///< of the log probability (relevance), exclusivity (frex) or the rival (label); 0 to 1
};

/// Error(ARGUMENT) for an order that does not exist, a weight outside [0, 1] and one that the order does not take.
WordOrder word_order(std::string_view how);

/// Error(UNSUPPORTED) for a kind without words.
const WordModel& require_words(const Model& model);

/// Probabilities of columns under the components of a model, which outlives it.
class WordProbabilities {
 public:
  explicit WordProbabilities(const Model& model);
  /// Those of a column under the components first .. first + count; out [count].
  void read(int64_t column, int64_t first, int64_t count, double* out) const;

 private:
  const WordModel& model_;
  std::vector<double> totals_;  ///< [word_components] of the weights
};

/// The n best columns of each of the components first .. first + count, best first (of equals the earlier column).
/// indices, scores: [count x n]; scores may be NULL. One pass over all probabilities, besides the sorting.
void rank_words(const Model& model, int64_t first, int64_t count, const WordOrder& order, int64_t n, int64_t* indices,
                double* scores);

}  // namespace vtemper
