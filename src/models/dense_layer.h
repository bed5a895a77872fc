#pragma once
// Fully connected layers whose weights and biases lie in one flat array of parameters.
//
// The rows of a layer's weights, one for each of its inputs, are divided evenly among threads: a thread makes the
// gradient of its rows and moves them, and where LayerSums pays it also multiplies by no others (of two threads; of
// more, some share a half). So they stay near its processor, no thread waits for weights that another one has just
// written, and none has to tell the others that it writes.

#include "models/dense_products.h"
#include "models/gradient_model.h"
#include "support/array.h"

namespace vtemper {

/// Where the weights [in x units] and the bias [units] of a layer are in the flat array.
struct LayerPlace {
  int64_t in, units;
  int64_t weights, bias;
  int64_t end() const { return bias + units; }
};

/// A layer at `begin`: weights, then bias.
constexpr LayerPlace place_layer(int64_t in, int64_t units, int64_t begin) {
  return {in, units, begin, begin + in * units};
}

/// The weights of two networks, one behind the other.
inline std::vector<ParameterMatrix> weights_of(const std::vector<LayerPlace>& one,
                                               const std::vector<LayerPlace>& two) {
  std::vector<ParameterMatrix> matrices;
  for (const std::vector<LayerPlace>* layers : {&one, &two}) {
    for (const LayerPlace& layer : *layers) matrices.push_back({layer.weights, layer.in, layer.units});
  }
  return matrices;
}

/// out [rows x units] = bias + x w for inputs x [rows x in]. Sums of many inputs are those of the first half and
/// those of the second, added up.
template <class Real>
void linear_layer(const LayerPlace& layer, const Real* values, const Real* x, int64_t rows, Real* out);

/// The same, bit for bit, by several threads: one half of the weights is for the first threads, the other for the
/// rest, unless the rows are so many that it costs less to exchange the weights than the sums.
template <class Real>
class LayerSums {
 public:
  /// What the threads do together. The arrays have to stay until `finish` has been called for all rows.
  void start(const LayerPlace& layer, const Real* values, const Real* x, int64_t rows, int threads, Real* out);
  /// The sums of the rows first .. end, on the calling thread.
  void finish(int64_t first, int64_t end);

 private:
  LayerPlace layer_{};
  const Real* values_ = nullptr;
  const Real* x_ = nullptr;
  Real* out_ = nullptr;
  bool halves_ = false;  ///< the products are there, in two halves
  Array<Real> second_;   ///< [rows x units] the second half
};

/// What a layer's gradient is made of: its inputs and the gradient of the objective with respect to its outputs.
template <class Real>
struct LayerGradient {
  LayerPlace place;
  const Real* inputs;     ///< [rows x in]
  const Real* residuals;  ///< [rows x units]
  int64_t rows;
};

/// Gradients of the layers' weights (inputs' residuals) and biases (sums of residuals), into the flat array `out`.
template <class Real>
void collect_gradients(const LayerGradient<Real>* layers, int64_t count, int threads, Real* out);

}  // namespace vtemper
