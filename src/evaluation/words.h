#pragma once
// Rankings of words for components that are distributions over words.

#include <string_view>
#include <vector>

#include "models/model.h"

namespace vtemper {

/// The ranking criterion: "probability", "lift", "relevance", "frex" or "label", the last three with an optional
/// weight as in "relevance:0.3".
struct WordOrder {
  enum class Score { probability, lift, relevance, frex, label };
  Score score;
  double weight;  ///< of the log probability (relevance), the exclusivity (frex) or the rival (label); 0 to 1
};

/// Error(ARGUMENT) for an unknown criterion, a weight outside [0, 1], or a weight where none applies.
WordOrder word_order(std::string_view how);

/// Error(UNSUPPORTED) for model kinds without words.
const WordModel& require_words(const Model& model);

/// Column probabilities under the components of a model, which must outlive this object.
class WordProbabilities {
 public:
  explicit WordProbabilities(const Model& model);
  /// The column's probabilities under the components first .. first + count; out [count].
  void read(int64_t column, int64_t first, int64_t count, double* out) const;

 private:
  const WordModel& model_;
  std::vector<double> totals_;  ///< [word_components] sums of the weights
};

/// The n best columns of the components first .. first + count, best first; ties go to the lower column. indices,
/// scores: [count x n]; scores may be NULL. One pass over all probabilities, plus the sorting.
void rank_words(const Model& model, int64_t first, int64_t count, const WordOrder& order, int64_t n, int64_t* indices,
                double* scores);

}  // namespace vtemper
