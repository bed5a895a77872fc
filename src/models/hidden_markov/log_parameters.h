#pragma once
// The logarithms of a hidden Markov model's parameters, and the weights that the recursions take: their exponentials
// at an inverse temperature s. Rows of states are padded to whole_row elements (kernels/table.h).

#include <cstdint>

#include "support/array.h"

namespace vtemper {

/// Length of a padded row of states.
int64_t row_of_states(int64_t states);

/// Logarithms, of expectations E log theta or of means log E theta. Padding is so small that its exponential is 0.
struct LogParameters {
  int64_t states = 0, symbols = 0, row = 0;
  Array<double> initial;       ///< [row] relative to the largest
  double initial_largest = 0;
  Array<double> transition;    ///< [states x row]
  Array<double> emission;      ///< [symbols x row], a symbol's relative to its largest
  Array<double> largest;       ///< [symbols]
  void resize(int64_t state_count, int64_t symbol_count);
  /// Makes initial and emission relative, and fills the padding.
  void settle();
};

/// exp(s log parameter); padding 0.
struct Weights {
  int64_t states = 0, row = 0;
  double inverse_temperature = 1;
  Array<double> initial;      ///< [row]
  Array<double> transition;   ///< [states x row]
  Array<double> transposed;   ///< [states x row]
  Array<double> likelihoods;  ///< [symbols x row], or of the positions of one sequence
  void raise_transitions(const LogParameters& logs, double s);
  void raise_emissions(const LogParameters& logs, double s, int threads);
  /// likelihoods [length x row] of the sequence's positions.
  void raise_positions(const LogParameters& logs, double s, const int32_t* sequence, int64_t length);
};

}  // namespace vtemper
