#pragma once
// What the bound loses if two topics are merged (README.md section 10).

#include "models/lda/topic_sample.h"
#include "models/mergers.h"

namespace vtemper {

/// Mergers of the pairs of topics with the most similar words, each into the larger topic, the cheapest first.
std::vector<Merger> topic_mergers(const TopicSample& sample, int threads);

}  // namespace vtemper
