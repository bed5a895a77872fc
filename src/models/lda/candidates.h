#pragma once
// Steps of many topics whose documents consider few of them (README.md section 8): lists of (topic, number) in the
// place of rows of K numbers.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/array.h"

namespace vtemper {

/// A list within the lists of a thread.
struct ListPlace {
  int32_t thread = 0;
  int32_t count = 0;
  int64_t begin = 0;
};

/// Lists that one thread makes, one behind the other.
template <class Real>
struct TopicLists {
  Array<int32_t> topics;
  Array<Real> values;
  int64_t used = 0;

  void make_room(int64_t count) {
    const size_t needed = static_cast<size_t>(used + count);
    if (topics.size() < needed) topics.resize(needed);
    if (values.size() < needed) values.resize(needed);
  }
  /// There is room.
  void append(int32_t topic, Real value) {
    topics[static_cast<size_t>(used)] = topic;
    values[static_cast<size_t>(used)] = value;
    ++used;
  }
};

/// Sums by topic, of which few are not 0.
template <class Real>
struct TopicSums {
  Array<Real> sums;        ///< [padded K] 0 where a topic is not touched
  Array<int32_t> touched;  ///< [K]
  int64_t count = 0;

  void resize(size_t topics) {
    sums.resize(topics);
    touched.resize(topics);
  }
  void add(int32_t topic, Real value) {
    if (!(value > Real{0})) return;
    Real& sum = sums[static_cast<size_t>(topic)];
    if (sum == Real{0}) touched[static_cast<size_t>(count++)] = topic;
    sum += value;
  }
  void clear() {
    for (int64_t i = 0; i < count; ++i) sums[static_cast<size_t>(touched[static_cast<size_t>(i)])] = 0;
    count = 0;
  }
};

/// What a list's thread needs for a document or a word.
template <class Real>
struct CandidateScratch {
  TopicLists<Real> strong, kept, statistics;
  Array<Real> kept_gamma;  ///< beside `kept`
  TopicSums<Real> sums;
  Array<int32_t> places;                          ///< [padded K] topics of a word or candidates of a document
  Array<Real> alpha, gamma, weights, likelihood;  ///< [padded K] of the candidates
  Array<Real> values, inverse;                    ///< likewise, of the normalizer
  int64_t count = 0;                              ///< candidates of the document

  void make_room_for_kept(int64_t more) {
    kept.make_room(more);
    kept_gamma.resize(std::max(kept_gamma.size(), kept.values.size()));
  }
};

/// The step under way where its documents consider candidates.
template <class Real>
struct CandidateWork {
  bool used = false;

  struct Word {
    ListPlace strong;   ///< topics with a large share of the word: what theirs exceeds the rest's
    Real rest = 0;      ///< share of each other topic
    double row_sum = 0; ///< sum_k of the stored row (topics.h)
  };
  Array<Word> words;            ///< [slots]
  Array<ListPlace> statistics;  ///< [slots] S_wk
  Array<ListPlace> documents;   ///< kept topics with their weights a_k, and gamma
  std::vector<CandidateScratch<Real>> scratch;  ///< one a thread
  double largest_alpha = 0;
  double sum_of_alpha = 0;

  const int32_t* topics_of(const ListPlace& place) const {
    return scratch[static_cast<size_t>(place.thread)].statistics.topics.data() + place.begin;
  }
  const Real* statistics_of(const ListPlace& place) const {
    return scratch[static_cast<size_t>(place.thread)].statistics.values.data() + place.begin;
  }
};

}  // namespace vtemper
