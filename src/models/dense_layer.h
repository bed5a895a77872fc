#pragma once
// Fully connected layers whose weights and biases are stored in one flat array of parameters.
//
// The rows of a layer's weight matrix, one per input, are divided evenly among threads: a thread computes the
// gradient of its rows and updates them, and where LayerSums pays off it also multiplies only by these rows (with two
// threads; with more, several share a half). So weights stay in their thread's cache and cache lines need not move
// between cores.

#include "models/dense_products.h"
#include "models/gradient_model.h"
#include "support/array.h"

namespace vtemper {

/// Location of a layer's weights [in x units] and bias [units] in the flat array.
struct LayerPlace {
  int64_t in, units;
  int64_t weights, bias;
  int64_t end() const { return bias + units; }
};

/// A layer at `begin`: weights, then bias.
constexpr LayerPlace place_layer(int64_t in, int64_t units, int64_t begin) {
  return {in, units, begin, begin + in * units};
}

/// The weight matrices of two networks, concatenated.
inline std::vector<ParameterMatrix> weights_of(const std::vector<LayerPlace>& one,
                                               const std::vector<LayerPlace>& two) {
  std::vector<ParameterMatrix> matrices;
  for (const std::vector<LayerPlace>* layers : {&one, &two}) {
    for (const LayerPlace& layer : *layers) matrices.push_back({layer.weights, layer.in, layer.units});
  }
  return matrices;
}

/// out [rows x units] = bias + x w for inputs x [rows x in]. With many inputs, the two halves of each sum are
/// computed separately and added.
template <class Real>
void linear_layer(const LayerPlace& layer, const Real* values, const Real* x, int64_t rows, Real* out);

/// The same sums, bit for bit, on several threads: the first threads process one half of the weights, the rest the
/// other, unless there are so many rows that exchanging the weights costs less than exchanging the sums.
template <class Real>
class LayerSums {
 public:
  /// The parallel part. The arrays must stay valid until `finish` has been called for all rows.
  void start(const LayerPlace& layer, const Real* values, const Real* x, int64_t rows, int threads, Real* out);
  /// Completes the sums of rows first .. end on the calling thread.
  void finish(int64_t first, int64_t end);

 private:
  LayerPlace layer_{};
  const Real* values_ = nullptr;
  const Real* x_ = nullptr;
  Real* out_ = nullptr;
  bool halves_ = false;  ///< the products were computed in two halves
  Array<Real> second_;   ///< [rows x units] the second half
};

/// Inputs of a layer, and the gradient of the objective with respect to its outputs.
template <class Real>
struct LayerGradient {
  LayerPlace place;
  const Real* inputs;  ///< [rows x in]
  const Real* deltas;  ///< [rows x units]
  int64_t rows;
};

/// Gradients of the layers' weights (inputs' deltas) and biases (column sums of deltas), into the flat array
/// `out`. Returns the sum of their squares, which costs little while they are in cache; infinite on overflow.
template <class Real>
double collect_gradients(const LayerGradient<Real>* layers, int64_t count, int threads, Real* out);

}  // namespace vtemper
