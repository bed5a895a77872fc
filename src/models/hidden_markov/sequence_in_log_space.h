#pragma once
// Forward-backward in log space: slow, for the rare sequence whose products leave the range of double; and Viterbi
// decoding.

#include <vector>

#include "models/hidden_markov/log_parameters.h"

namespace vtemper {

struct SequenceInLogSpace {
  double log_normalizer = 0;
  std::vector<double> occupancies;  ///< [length x row] probabilities of the states
  std::vector<double> pairs;        ///< [states x row] expected transitions

  /// At inverse temperature s; length >= 1.
  SequenceInLogSpace(const LogParameters& logs, double s, const int32_t* sequence, int64_t length);
};

/// The most probable states of the sequence (Viterbi); ties go to the first.
std::vector<int64_t> most_probable_path(const LogParameters& logs, const int32_t* sequence, int64_t length);

}  // namespace vtemper
