#pragma once
// Steps with many topics in which each document considers only a few candidates (README.md section 8): sparse lists
// of (topic, number) instead of rows of K numbers.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/table.h"
#include "support/array.h"

namespace vtemper {

/// A range within the lists of a thread.
struct ListPlace {
  int32_t thread = 0;
  int32_t count = 0;
  int64_t begin = 0;
};

/// The lists of one thread, concatenated.
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
  /// Requires reserved memory.
  void append(int32_t topic, Real value) {
    topics[static_cast<size_t>(used)] = topic;
    values[static_cast<size_t>(used)] = value;
    ++used;
  }
};

/// Sums by topic, of which few are non-zero.
template <class Real>
struct TopicSums {
  Array<Real> sums;        ///< [padded K] 0 for topics that are not touched
  Array<int32_t> touched;  ///< [padded K + 1] the topics that are touched
  int64_t count = 0;

  void resize(size_t topics) {
    sums.resize(topics);
    touched.resize(topics + 1);
  }
  /// Branch-free, because new topics are unpredictable: every topic is written to the next place, but that is kept
  /// only if the topic is new.
  void add(int32_t topic, Real value) {
    Real& sum = sums[static_cast<size_t>(topic)];
    const bool fresh = sum == Real{0};
    sum += value;
    touched[static_cast<size_t>(count)] = topic;
    count += fresh && sum != Real{0} ? 1 : 0;
  }
  void clear() {
    for (int64_t i = 0; i < count; ++i) sums[static_cast<size_t>(touched[static_cast<size_t>(i)])] = 0;
    count = 0;
  }
};

/// Workspace of a thread for one document or word.
template <class Real>
struct CandidateScratch {
  TopicLists<Real> strong, kept, statistics;
  Array<Real> added;  ///< weight s_d n_dw phi_dwk of the documents' entries and kept topics
  int64_t added_used = 0;
  TopicSums<Real> sums;
  Array<int32_t> position;  ///< [padded K + 1] of the kept candidates

  // The candidates of a document.
  bool all = false;  ///< all topics, with gamma = 1
  int64_t count = 0;
  Array<int32_t> places;                          ///< [padded K]
  Array<Real> alpha, gamma, weights, likelihood;  ///< [padded K]; padding of alpha and gamma: 1
  Array<Real> inverse;                            ///< likewise, of the normalizer (topics.h)
};

/// Workspace of a step whose documents consider candidates.
template <class Real>
struct CandidateWork {
  bool used = false;

  struct Word {
    ListPlace strong;       ///< topics with a large share of the word: the excess over `rest`
    Real rest = 0;          ///< share of each other topic
    double row_sum = 0;     ///< sum_k of the stored row (topics.h)
    double log_factor = 0;  ///< log(share_wk / v_k^s), v_k as in Topics::probabilities_of
    Real factor = 0;        ///< share_wk / v_k^s
  };
  struct Row {
    ListPlace kept;     ///< topics and their gamma; it is alpha for the others
    int64_t added = 0;  ///< its entries' `added` [entries x kept]
  };
  Array<Word> words;            ///< [slots]
  Array<ListPlace> statistics;  ///< [slots] S_wk
  Array<Row> documents;
  std::vector<CandidateScratch<Real>> scratch;  ///< one per thread
  double largest_alpha = 0;
  double log_probability = 0;  ///< log(probabilities_of(topics.h) / beta_kw)
  double sum_of_alpha = 0;

  Row begin_row(int thread, int64_t kept, int64_t entries) {
    CandidateScratch<Real>& some = scratch[static_cast<size_t>(thread)];
    const Row row{{thread, static_cast<int32_t>(kept), some.kept.used}, some.added_used};
    some.kept.make_room(kept);
    some.added_used += kept * entries;
    if (some.added.size() < static_cast<size_t>(some.added_used)) {
      some.added.resize(static_cast<size_t>(some.added_used));
    }
    return row;
  }
  const int32_t* topics_of(const ListPlace& place) const {
    return scratch[static_cast<size_t>(place.thread)].statistics.topics.data() + place.begin;
  }
  const Real* statistics_of(const ListPlace& place) const {
    return scratch[static_cast<size_t>(place.thread)].statistics.values.data() + place.begin;
  }
};

}  // namespace vtemper
