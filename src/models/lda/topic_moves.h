#pragma once
// Moves out of a local optimum, judged by a sample of documents (README.md section 10): two topics are merged where
// that costs the bound little, and the place that becomes free takes half of a topic that holds two; or a topic takes
// such a half in addition to its own tokens.

#include "models/lda/topic_mergers.h"
#include "models/lda/topic_splits.h"

namespace vtemper {

/// The merger's slot takes the tokens that do not stay in the topic that is split; if `into` is the same topic, in
/// addition to its own.
struct TopicMove {
  Merger merger;
  TopicSplit split;
};

/// Moves that raise the bound of the sample, no two of which share a topic. `seed`, `round`: of the random starts
/// from which topics are split.
std::vector<TopicMove> find_topic_moves(const TopicSample& sample, int threads, uint64_t seed, int64_t round);

}  // namespace vtemper
