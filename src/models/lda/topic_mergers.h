#pragma once
// What the bound loses if two topics are merged (README.md section 10).

#include "models/lda/topic_sample.h"

namespace vtemper {

/// Topic `slot` becomes a part of the larger topic `into`.
struct TopicMerger {
  double cost = 0;
  int64_t slot = 0, into = 0;
};

/// Mergers of the pairs of topics with the most similar words, the cheapest first.
std::vector<TopicMerger> topic_mergers(const TopicSample& sample, int threads);

}  // namespace vtemper
