#pragma once
// The scaled forward-backward recursion over a bundle of sequences, one per lane (kernels.h, Bundle), for
// several sequences of similar length under the same weights. Recursion handles the general case, with states in
// lanes.

#include "models/hidden_markov/kernels.h"
#include "models/hidden_markov/log_parameters.h"

namespace vtemper {

class BundleRecursion {
 public:
  /// Whether a bundle takes less work for sequences of `symbols` symbols in total, the longest of the given length.
  static bool pays(const Layout& layout, int64_t symbols, int64_t longest) {
    return layout.states <= max_states && kernels::bundle_sequences * longest * layout.states <= symbols * layout.row;
  }
  /// Reserves memory for all bundles that pay off, of up to that many symbols.
  void reserve(const Layout& layout, int64_t symbols);

  /// Starts a new bundle of `count` sequences.
  void start(int64_t count);
  void set(int64_t sequence, const int32_t* symbols, int64_t length, double factor);
  /// Forward pass. Afterwards log_normalizer(n) = log of the sum over all paths of the products of weights.
  void forward(const Weights& weights);
  double log_normalizer(int64_t sequence) const { return log_normalizers_[static_cast<size_t>(sequence)]; }
  /// False if the products left the range of double. Such a sequence has no effect in the backward pass.
  bool usable(int64_t sequence) const { return failures_[static_cast<size_t>(sequence)] == 0; }
  /// Backward pass. Adds, multiplied by the factors: the state probabilities at each position to the rows of their
  /// symbols in emissions [symbols x row], those of the first states to first [row].
  void backward(const Weights& weights, double* emissions, double* first);

  /// Clears the accumulated pairs.
  void clear_pairs(int64_t states);
  /// Adds the accumulated pairs to pairs [states x row]; multiplied by the transition weights they are the
  /// probabilities of pairs of adjacent states.
  void add_pairs(int64_t row, double* pairs) const;

 private:
  /// With more states the sums of pairs would not fit in cache.
  static constexpr int64_t max_states = 64;
  static constexpr int64_t lanes = kernels::bundle_sequences;

  int64_t count_ = 0;
  int64_t longest_ = 0;
  int64_t states_ = 0;
  const int32_t* symbols_[lanes];
  int64_t lengths_[lanes];
  Array<double> lane_lengths_, factors_, log_normalizers_, failures_;  ///< [lanes]
  Array<double> likelihoods_, forward_, messages_;                     ///< [longest x states x lanes]
  Array<double> inverse_scales_;                                       ///< [longest x lanes]
  Array<double> pairs_;                                                ///< [states x states x lanes]
  Array<const double*> rows_;                                          ///< [longest x lanes]
  Array<double*> occupancies_;                                         ///< [longest x lanes]
  Array<double> ones_, nowhere_;                                       ///< [row] used beyond a sequence's end

  kernels::Bundle bundle(const Weights& weights);
  void silence(int64_t sequence);
};

}  // namespace vtemper
