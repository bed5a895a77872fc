#pragma once
// The scaled forward-backward recursion (Rabiner 1989, section V.A) over several sequences side by side. Sequences
// are packed by time, the longest first: all first symbols, then the second symbols of all sequences that have one,
// and so on. A step of all sequences is then one product of contiguous rows.

#include "kernels/dispatch.h"
#include "models/hidden_markov/kernels.h"
#include "models/hidden_markov/log_parameters.h"

namespace vtemper {

inline const kernels::HiddenMarkovKernels& recursion_kernels() {
  return kernels::model_kernels<kernels::HiddenMarkovKernels>();
}

/// Number of steps of a long sequence between polls for an interrupt by the caller.
constexpr int64_t steps_between_polls = 64;

/// A step whose probability is below the inverse of this is computed in log space instead (sequence_in_log_space.h).
constexpr double largest_inverse_scale = 1e100;

class Recursion {
 public:
  /// Removes all sequences.
  void clear() { count_ = 0; }
  /// Sequences must be added in order of decreasing length, at least 1. `rows_of_likelihoods`: for each position the
  /// row of Weights::likelihoods; `places`: the row of the occupancies to add to.
  void add(const int32_t* rows_of_likelihoods, const int32_t* places, int64_t length);
  void reserve(int64_t symbols, int64_t sequences, int64_t longest, int64_t row);

  int64_t count() const { return count_; }
  /// Forward pass. Afterwards log_normalizer(r) = log of the sum over all paths of the products of weights.
  void forward(const Weights& weights);
  double log_normalizer(int64_t sequence) const { return log_normalizers_[static_cast<size_t>(sequence)]; }
  /// False if the products left the range of double. Such a sequence has no effect in the backward pass.
  bool usable(int64_t sequence) const { return usable_[static_cast<size_t>(sequence)] != 0; }

  /// Backward pass. Adds, multiplied by factors[r]: the state probabilities at each position to occupancies[place x
  /// row], those of the first states to first [row], and sums to pairs [states x row] that, multiplied by the
  /// transition weights, are the probabilities of pairs of adjacent states.
  void backward(const Weights& weights, const double* factors, double* occupancies, double* first, double* pairs);

 private:
  int64_t count_ = 0;
  int64_t symbols_ = 0;
  Array<int64_t> lengths_;  ///< [count]
  Array<int64_t> begins_;   ///< [count] start of each sequence in its own rows and places
  Array<int32_t> own_rows_, own_places_;
  Array<int64_t> steps_;           ///< [longest + 1] start of each step
  Array<int32_t> rows_, places_;   ///< [symbols] packed
  Array<double> forward_;          ///< [symbols x row] filtered state probabilities, given the symbols so far
  Array<double> messages_;         ///< [symbols x row] backward messages from the next position; 0 at the end
  Array<double> inverse_scales_;   ///< [symbols]
  Array<double> log_scales_;       ///< [symbols]
  Array<double> log_normalizers_;  ///< [count]
  Array<char> usable_;             ///< [count]
  Array<double> factors_;          ///< [count]
  Array<double> ones_;             ///< [row]
  Array<double> first_;            ///< [count x row]
  Array<int32_t> numbers_;         ///< [count] 0, 1, ...

  int64_t longest() const { return lengths_[0]; }
  int64_t begin(int64_t step) const { return steps_[static_cast<size_t>(step)]; }
  int64_t active(int64_t step) const { return begin(step + 1) - begin(step); }
  void pack();
  void judge(int64_t sequence, int64_t row);
};

}  // namespace vtemper
