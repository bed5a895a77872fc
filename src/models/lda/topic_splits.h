#pragma once
// What the bound gains if a topic is split (README.md section 10).

#include <limits>

#include "models/lda/topic_sample.h"

namespace vtemper {

struct TopicSplit {
  double gain = -std::numeric_limits<double>::infinity();
  int64_t from = 0;
  std::vector<double> stays;     ///< [words] share of each word's tokens that stays in `from`; empty without a gain
  double stays_of_others = 0.5;  ///< of words that are not in the sample
  TopicTokens staying, leaving;  ///< the tokens of both halves; empty without a gain

  void exchange_halves();
};

/// The best split of a topic that is found from random starts, which depend on (seed, round, topic). Two topics are
/// fitted to three quarters of the documents and judged by the others, since noise does not gain there.
TopicSplit split_topic(int64_t topic, const TopicSample& sample, uint64_t seed, int64_t round);

}  // namespace vtemper
