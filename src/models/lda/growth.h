#pragma once
// Growing the number of topics during annealing. At high T, a document of n tokens cannot distinguish K >> n topics:
// its update is unstable (lda_document_slope above 1), so it selects a few topics at random. Topics that all
// documents happen to select converge to the word frequencies of the corpus and take over its tokens; most of the
// others never recover. With about n topics this does not happen. A fit therefore starts with few topics, each of
// which represents several. As T falls, every topic is repeatedly split into two nearly equal halves until there are
// K. Halves separate where the words of their documents differ. The intermediate numbers of topics are halvings of K:
// K, K/2, K/4, ..., rounded up.

#include <cstdint>

namespace vtemper {

/// The halving before `topics`.
constexpr int64_t half_of_topics(int64_t topics) {
  return (topics + 1) / 2;
}

/// The halving of K that follows `parted`.
constexpr int64_t next_topics(int64_t topics, int64_t parted) {
  int64_t next = topics;
  while (half_of_topics(next) > parted) next = half_of_topics(next);
  return next;
}

constexpr bool is_halving(int64_t topics, int64_t parted) {
  return parted == topics || half_of_topics(next_topics(topics, parted)) == parted;
}

/// The current topic that represents topic k of K: the second halves follow all first halves.
constexpr int64_t parted_topic(int64_t topic, int64_t topics, int64_t parted) {
  while (topic >= parted) {
    int64_t size = topics;
    while (size > topic) size = half_of_topics(size);
    topic -= size;
  }
  return topic;
}

/// Number of topics with which a fit of K topics starts at a high temperature, K if it does not grow. `tokens`: mean
/// number per document, `documents`: their number, each 0 if unknown.
int64_t initial_topics(int64_t topics, double tokens, double documents);

/// Minimum number of topics once T has fallen to `temperature`.
int64_t topics_at(int64_t topics, double temperature);

/// Default and minimum start temperature of growing fits. At lower temperatures documents distinguish topics at once,
/// and starting with all K is better.
constexpr double growing_start = 5.5;
constexpr double min_growing_start = 3;

}  // namespace vtemper
