#pragma once
// Samples for moves of topics whose tokens are given.

#include "models/lda/topic_sample.h"

namespace fixtures {

/// Documents, whose weights are still to be set, without entries.
inline vtemper::TopicSample sample_without_entries(int32_t documents, int32_t words, size_t topics, double alpha,
                                                   double eta) {
  vtemper::TopicSample sample;
  sample.documents = documents;
  sample.words = words;
  sample.columns = words;
  sample.topics.resize(topics);
  sample.alpha.assign(topics, alpha);
  sample.eta = eta;
  return sample;
}

/// Returns the place of the new entry; the weight of its document is set.
inline int32_t add_entry(vtemper::TopicSample& sample, int32_t document, int32_t word, double count) {
  sample.document.push_back(document);
  sample.word.push_back(word);
  sample.counts.push_back(count);
  sample.tokens += sample.weights[static_cast<size_t>(document)] * count;
  return static_cast<int32_t>(sample.counts.size()) - 1;
}

inline void give_tokens(vtemper::TopicSample& sample, size_t topic, int32_t entry, double tokens) {
  sample.topics[topic].entry.push_back(entry);
  sample.topics[topic].tokens.push_back(tokens);
}

}  // namespace fixtures
