#pragma once
// The logarithms of a hidden Markov model's parameters, and the weights used by the recursions: their exponentials at
// an inverse temperature s. Rows of states are padded to whole_row elements (kernels.h).

#include <cstdint>

#include "support/array.h"

namespace vtemper {

/// Length of a padded row of states.
int64_t row_of_states(int64_t states);

/// Layout of arrays with one number per parameter, as padded rows of states: a row for the initial states, a row of
/// next states for each state, a row of states for each symbol.
struct Layout {
  int64_t states = 0, symbols = 0, row = 0;
  Layout() = default;
  Layout(int64_t state_count, int64_t symbol_count)
      : states(state_count), symbols(symbol_count), row(row_of_states(state_count)) {}
  int64_t transition(int64_t state) const { return row * (1 + state); }
  int64_t emission(int64_t symbol) const { return row * (1 + states + symbol); }
  int64_t size() const { return row * (1 + states + symbols); }
  int64_t parameters() const { return states * (1 + states + symbols); }

  /// The distributions (rows of stochastic matrices): 0 the initial states; 1 + j the states after j; 1 + states + k
  /// the symbols of k.
  int64_t distributions() const { return 1 + 2 * states; }
  struct Distribution {
    int64_t first, stride, size;  ///< element i at first + i * stride
  };
  Distribution distribution(int64_t number) const {
    if (number <= states) return {number * row, 1, states};
    return {emission(0) + number - states - 1, row, symbols};
  }
};

/// Logarithms of parameters: E log theta, or log E theta for means. The exponential of the padding underflows to 0.
struct LogParameters {
  Layout layout;
  Array<double> values;        ///< [layout] initial states and emissions relative to the maximum of their row
  double initial_largest = 0;  ///< maximum subtracted from the initial states
  Array<double> largest;       ///< [symbols] maxima subtracted from the emissions
  Array<double> offsets;       ///< [states] scratch
  void resize(const Layout& new_layout);
  /// Makes initial states and emissions relative, and fills the padding.
  void settle();
  const double* initial() const { return values.data(); }
  const double* transition(int64_t state) const { return values.data() + layout.transition(state); }
  const double* emission(int64_t symbol) const { return values.data() + layout.emission(symbol); }
  /// Total subtracted from the logarithms of a sequence.
  double log_shift(const int32_t* sequence, int64_t length) const;
};

/// exp(s log parameter); padding 0.
struct Weights {
  int64_t states = 0, row = 0;
  double inverse_temperature = 1;
  Array<double> initial;      ///< [row]
  Array<double> transition;   ///< [states x row]
  Array<double> transposed;   ///< [states x row]
  Array<double> likelihoods;  ///< [symbols x row], or of the positions of one sequence
  /// Reserves memory for `rows` rows of likelihoods.
  void reserve(const Layout& layout, int64_t rows);
  void raise_transitions(const LogParameters& logs, double s);
  void raise_emissions(const LogParameters& logs, double s, int threads);
  /// Computes likelihoods [length x row] for the positions of a sequence.
  void raise_positions(const LogParameters& logs, double s, const int32_t* sequence, int64_t length);
};

}  // namespace vtemper
