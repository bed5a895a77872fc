#pragma once
// Fits of many topics that grow while they cool. As long as T is high a document of n tokens cannot tell K >> n
// topics apart: its own update is unstable (lda_document_slope above 1), so it falls for a few topics by chance,
// those that all documents happen to pick become the unigram and take the mass, and most of the others never come
// back. With about n topics that does not happen. So a fit starts with few topics, each of which stands for several;
// as T falls every topic is split in two halves that are nearly alike, again and again, until there are K. Halves
// part where the words of their documents tell them apart. The numbers of topics on the way are halvings of K: K,
// K/2, K/4, ..., rounded up.

#include <cstdint>

namespace vtemper {

/// The halving before `topics`.
constexpr int64_t half_of_topics(int64_t topics) {
  return (topics + 1) / 2;
}

/// The halving of K after `parted`.
constexpr int64_t next_topics(int64_t topics, int64_t parted) {
  int64_t next = topics;
  while (half_of_topics(next) > parted) next = half_of_topics(next);
  return next;
}

constexpr bool is_halving(int64_t topics, int64_t parted) {
  return parted == topics || half_of_topics(next_topics(topics, parted)) == parted;
}

/// The parted topic that stands for topic k of K: the second halves follow all first halves.
constexpr int64_t parted_topic(int64_t topic, int64_t topics, int64_t parted) {
  while (topic >= parted) {
    int64_t size = topics;
    while (size > topic) size = half_of_topics(size);
    topic -= size;
  }
  return topic;
}

/// Topics that a fit of K topics starts with at a high temperature, K where it does not grow; `tokens` of a document
/// and number of documents, each 0 where that is not known.
int64_t first_topics(int64_t topics, double tokens, double documents);

/// Halvings of K that are parted once T has fallen to `temperature`, at least.
int64_t topics_at(int64_t topics, double temperature);

/// The start temperature of a fit that grows, and the least one: from a cooler start documents tell topics apart at
/// once, and all K are better from the beginning.
constexpr double growing_start = 5.5;
constexpr double least_growing_start = 3;

}  // namespace vtemper
