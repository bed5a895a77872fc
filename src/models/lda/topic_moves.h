#pragma once
// Moves out of a local optimum, judged by a sample of documents (README.md section 10): two topics are merged where
// that costs the bound little, and the place that becomes free takes half of a topic that holds two.

#include <cstdint>
#include <vector>

namespace vtemper {

/// The tokens of a sample that a topic holds, n_dv phi_dvk, by entries in ascending order.
struct TopicTokens {
  std::vector<int32_t> entry;
  std::vector<double> tokens;
};

/// Documents of a sample with their posteriors under the current topics.
struct TopicSample {
  int64_t documents = 0, words = 0;     ///< words: distinct ones, numbered from 0
  double columns = 0;                   ///< words of the vocabulary
  std::vector<int32_t> document, word;  ///< of each entry; documents ascend
  std::vector<double> counts;           ///< likewise
  std::vector<double> weights;          ///< [documents]
  std::vector<TopicTokens> topics;      ///< [K]
  std::vector<double> alpha;            ///< [K]
  double eta = 0;
  double tokens = 0;  ///< of all documents, weighted
};

/// Topic `slot` is merged into `into`; then it takes the tokens of `from` that do not stay there.
struct TopicMove {
  int64_t slot = 0, into = 0, from = 0;
  std::vector<double> stays;     ///< [words] share of each word's tokens in `from` that stay
  double stays_of_others = 0.5;  ///< of words that are not in the sample
};

/// Moves that raise the bound of the sample, no two of which share a topic. `seed`, `round`: of the random starts
/// from which topics are split.
std::vector<TopicMove> find_topic_moves(const TopicSample& sample, int threads, uint64_t seed, int64_t round);

}  // namespace vtemper
