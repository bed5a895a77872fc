#include "models/gaussian_mixture/work.h"

#include <algorithm>

#include "support/large_array.h"

namespace vtemper {

MixtureScratch::MixtureScratch(const Components& components) {
  const size_t stride = static_cast<size_t>(components.stride());
  differences.resize(stride * static_cast<size_t>(statistics_rows));
  scales.resize(static_cast<size_t>(statistics_rows));
  index.resize(static_cast<size_t>(statistics_rows));
  row.resize(stride);
  if (components.columns() >= min_bounded_columns) {
    for (Array<double>* values : {&rows, &tile}) values->resize(stride * static_cast<size_t>(kernels::tile_rows));
  }
  missing.reserve(components.columns());
}

MixtureWork::MixtureWork(const Components& model)
    : update(model.component()), fresh(update), before(update), update_work(model.columns()) {
  const size_t length = static_cast<size_t>(model.columns());
  const size_t number = static_cast<size_t>(model.count());
  const size_t row = static_cast<size_t>(model.stride());
  resize_in_parts(statistics, number * row * row);
  scatter.resize(length * length);
  for (Array<double>* values : {&constants, &factors, &sizes}) values->resize(number);
  for (Array<double>* vectors : {&first, &rows_shift, &prior_shift}) vectors->resize(length);
}

void MixtureWork::reserve(const Components& model, int64_t rows_at_once, int threads) {
  MixtureRows::reserve(model.count(), model.columns(), rows_at_once);
  missing_places.resize(powers.size());
  if (model.columns() >= min_bounded_columns) {
    best.resize(powers.size());
    selected.reserve(scores.size());
    pieces.reserve(scores.size() / static_cast<size_t>(kernels::tile_rows));
  }
  while (scratch.size() < static_cast<size_t>(threads)) scratch.emplace_back(model);
}

}  // namespace vtemper
