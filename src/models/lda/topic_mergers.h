#pragma once
// What the bound loses if two topics are merged (README.md section 10).

#include "models/lda/topic_sample.h"
#include "models/mergers.h"

namespace vtemper {

/// Mergers of the pairs of topics with the most similar words, each into the larger topic, the cheapest first.
std::vector<Merger> topic_mergers(const TopicSample& sample, int threads);

/// The topic, both slot and into, for which it costs least to take this part of the tokens of `from`; none of those
/// that are taken [K]. The cost is infinite if there is none.
Merger cheapest_taker(const TopicSample& sample, const TopicTokens& part, int64_t from,
                      const std::vector<char>& taken, int threads);

}  // namespace vtemper
