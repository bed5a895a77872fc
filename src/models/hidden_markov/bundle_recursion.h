#pragma once
// The scaled forward-backward recursion over a bundle of sequences, one in each lane (kernels/table.h, Bundle): for
// several sequences of like lengths at the same weights. Recursion does the same for any sequences, states in lanes.

#include "kernels/table.h"
#include "models/hidden_markov/log_parameters.h"

namespace vtemper {

class BundleRecursion {
 public:
  /// Whether sequences of so many symbols in all, the longest of so many, take less work in a bundle.
  static bool pays(const Layout& layout, int64_t symbols, int64_t longest) {
    return layout.states <= most_states &&
           kernels::bundle_sequences * longest * layout.states <= symbols * layout.row;
  }
  /// Room for bundles that pay, of up to so many symbols.
  void reserve(const Layout& layout, int64_t symbols);

  /// A new bundle of `count` sequences.
  void start(int64_t count);
  void set(int64_t sequence, const int32_t* symbols, int64_t length, double factor);
  /// Runs forward. Afterwards log_normalizer(n) = log of the sum over all paths of the products of weights.
  void forward(const Weights& weights);
  double log_normalizer(int64_t sequence) const { return log_normalizers_[static_cast<size_t>(sequence)]; }
  /// False where the products left the range of doubles. Such a sequence has no effect in the backward run.
  bool usable(int64_t sequence) const { return failures_[static_cast<size_t>(sequence)] == 0; }
  /// Runs backward and adds, times the factors: the probabilities of the states at each position to the rows of their
  /// symbols in emissions [symbols x row], those of the first states to first [row].
  void backward(const Weights& weights, double* emissions, double* first);

  /// Forgets the pairs of all bundles so far.
  void clear_pairs(int64_t states);
  /// Adds to pairs [states x row] what becomes the probabilities of pairs of neighbours times the transition weights.
  void add_pairs(int64_t row, double* pairs) const;

 private:
  /// Of more states every sum of pairs would leave the cache.
  static constexpr int64_t most_states = 64;
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
  Array<double> ones_, nowhere_;                                       ///< [row] beyond a sequence's end

  kernels::Bundle bundle(const Weights& weights);
  void silence(int64_t sequence);
};

}  // namespace vtemper
