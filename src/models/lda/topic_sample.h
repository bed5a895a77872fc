#pragma once
// Documents of a sample with their posteriors under the current topics, from which moves are judged (topic_moves.h).

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kernels/dispatch.h"

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

inline double x_log_x(double x) {
  return x > 0 ? x * std::log(x) : 0;
}

inline double sum_of(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0);
}

inline void log_gamma_of(std::vector<double>& values) {
  kernels::table<double>().log_gamma(values.data(), values.data(), static_cast<int64_t>(values.size()));
}

/// log of a topic's probabilities, (eta + tokens) / (columns eta + sum of tokens), of words with these tokens.
inline std::vector<double> log_probabilities(const std::vector<double>& tokens, const TopicSample& sample) {
  const double total = sample.columns * sample.eta + sum_of(tokens);
  std::vector<double> out(tokens.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = (sample.eta + tokens[i]) / total;
  kernels::table<double>().logarithm(out.data(), out.data(), static_cast<int64_t>(out.size()));
  return out;
}

}  // namespace vtemper
