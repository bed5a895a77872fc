#pragma once
// Moves out of a local optimum, judged by a sample of documents (README.md section 10): two topics are merged where
// that costs the bound little, and the place that becomes free takes half of a topic that holds two.

#include "models/lda/topic_sample.h"

namespace vtemper {

/// Topic `slot` is merged into `into`; then it takes the tokens of `from` that do not stay there.
struct TopicMove {
  int64_t slot = 0, into = 0, from = 0;
  std::vector<double> stays;     ///< [words] share of each word's tokens in `from` that stay
  double stays_of_others = 0.5;  ///< of words that are not in the sample
};

/// Moves that raise the bound of the sample, no two of which share a topic. `seed`, `round`: of the random starts
/// from which topics are split.
std::vector<TopicMove> find_topic_moves(const TopicSample& sample, int threads, uint64_t seed, int64_t round);

}  // namespace vtemper
