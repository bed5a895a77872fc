#include "models/dense_layer.h"

#include "support/threads.h"

namespace vtemper {

template <class Real>
void collect_gradients(const LayerGradient<Real>* layers, int64_t count, int threads, Real* out) {
  int64_t tasks = 0;
  for (int64_t l = 0; l < count; ++l) tasks += product_tasks(layers[l].place.in);
  const Real one = 1;
  parallel_for(threads, tasks, [&](int64_t task, int) {
    const LayerGradient<Real>* layer = layers;
    int64_t block = task;
    for (; block >= product_tasks(layer->place.in); ++layer) block -= product_tasks(layer->place.in);
    const LayerPlace& place = layer->place;
    const int64_t first = block * product_rows;
    const int64_t rows = std::min(product_rows, place.in - first);
    Real* weights = out + place.weights + first * place.units;
    set_product(transposed(layer->inputs + first, place.in), layer->residuals, weights, rows, layer->rows,
                place.units);
    if (block > 0) return;
    set_product(repeated(&one), layer->residuals, out + place.bias, 1, layer->rows, place.units);
  });
}

template void collect_gradients(const LayerGradient<float>*, int64_t, int, float*);
template void collect_gradients(const LayerGradient<double>*, int64_t, int, double*);

}  // namespace vtemper
