#pragma once
// Fully connected layers whose weights and biases lie in one flat array of parameters.

#include "models/dense_products.h"

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
