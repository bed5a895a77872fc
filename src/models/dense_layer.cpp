#include "models/dense_layer.h"

#include <array>
#include <numeric>

#include "support/threads.h"

namespace vtemper {

namespace {

/// Rows per pass over a layer, so that a tile of its columns is read once for all of them.
constexpr int64_t rows_passed = 128;

/// Parts of a layer's inputs that are summed separately; not worthwhile for layers with few inputs.
int64_t parts_of(const LayerPlace& layer) {
  return layer.in < 64 ? 1 : 2;
}

/// Part `part` of the sums of a layer: part 0 gives bias + its sum; part 1 overwrites `out` or is added to it.
template <class Real>
void multiply_part(const LayerPlace& layer, const Real* values, int64_t part, const Real* x, int64_t rows, bool added,
                   Real* out) {
  const Range inputs = range_of(layer.in, part, parts_of(layer));
  const Real* weights = values + layer.weights + inputs.first * layer.units;
  const auto view = by_rows(x + inputs.first, layer.in);
  if (added) {
    add_product(view, weights, out, rows, inputs.count(), layer.units);
  } else {
    set_product(view, weights, out, rows, inputs.count(), layer.units, part == 0 ? values + layer.bias : nullptr);
  }
}

}  // namespace

template <class Real>
void linear_layer(const LayerPlace& layer, const Real* values, const Real* x, int64_t rows, Real* out) {
  for (int64_t first = 0; first < rows; first += rows_passed) {
    const int64_t count = std::min(rows_passed, rows - first);
    for (int64_t part = 0; part < parts_of(layer); ++part) {
      multiply_part(layer, values, part, x + first * layer.in, count, part > 0, out + first * layer.units);
    }
  }
}

template <class Real>
void LayerSums<Real>::start(const LayerPlace& layer, const Real* values, const Real* x, int64_t rows, int threads,
                            Real* out) {
  layer_ = layer;
  values_ = values;
  x_ = x;
  out_ = out;
  halves_ = threads > 1 && parts_of(layer) == 2;
  if (!halves_) return;
  // With many rows, exchanging sums between threads costs more than exchanging weights; near this limit both are
  // equally fast.
  const int64_t max_rows = 4 * layer.in;
  // Never shrunk for a smaller layer: elements would be cleared again when it grows back.
  second_.resize(std::max(second_.size(), static_cast<size_t>(std::min(rows, max_rows) * layer.units)));
  halves_ = rows <= max_rows;
  if (!halves_) return;
  // The rows of the first half followed by those of the second, divided evenly among threads.
  parallel_shares(threads, [&](int64_t share, LoopEnd& end) {
    const Range line = range_of(2 * rows, share, threads);
    for (int64_t half = 0; half < 2; ++half) {
      const int64_t last = std::min(rows, line.end - half * rows);
      for (int64_t row = std::max<int64_t>(0, line.first - half * rows); row < last && !end.wanted();
           row += rows_passed) {
        multiply_part(layer, values, half, x + row * layer.in, std::min(rows_passed, last - row), false,
                      (half == 0 ? out : second_.data()) + row * layer.units);
      }
    }
  });
}

template <class Real>
void LayerSums<Real>::finish(int64_t first, int64_t end) {
  const int64_t units = layer_.units;
  if (!halves_) return linear_layer(layer_, values_, x_ + first * layer_.in, end - first, out_ + first * units);
  for (int64_t i = first * units; i < end * units; ++i) out_[i] += second_[static_cast<size_t>(i)];
}

template <class Real>
double collect_gradients(const LayerGradient<Real>* layers, int64_t count, int threads, Real* out) {
  const Real one = 1;
  const auto& table = kernels::table<Real>();
  std::array<double, max_helpers + 1> squares;  // each share sets its own; those beyond `threads` are not initialised
  parallel_shares(threads, [&](int64_t share, LoopEnd& end) {
    double sum = 0;
    for (const LayerGradient<Real>* layer = layers; layer < layers + count; ++layer) {
      const LayerPlace& place = layer->place;
      const Range in = range_of(place.in, share, threads);
      for (int64_t first = in.first; first < in.end && !end.wanted(); first += product_rows) {
        const int64_t rows = std::min(product_rows, in.end - first);
        Real* weights = out + place.weights + first * place.units;
        set_product(transposed(layer->inputs + first, place.in), layer->deltas, weights, rows, layer->rows,
                    place.units);
        sum += static_cast<double>(table.dot(weights, weights, rows * place.units));
      }
      if (share > 0) continue;
      set_product(repeated(&one), layer->deltas, out + place.bias, 1, layer->rows, place.units);
      sum += static_cast<double>(table.dot(out + place.bias, out + place.bias, place.units));
    }
    squares[static_cast<size_t>(share)] = sum;
  });
  return std::accumulate(squares.begin(), squares.begin() + threads, 0.0);
}

template void linear_layer(const LayerPlace&, const float*, const float*, int64_t, float*);
template void linear_layer(const LayerPlace&, const double*, const double*, int64_t, double*);
template class LayerSums<float>;
template class LayerSums<double>;
template double collect_gradients(const LayerGradient<float>*, int64_t, int, float*);
template double collect_gradients(const LayerGradient<double>*, int64_t, int, double*);

}  // namespace vtemper
