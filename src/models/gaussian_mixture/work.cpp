#include "models/gaussian_mixture/work.h"

#include <algorithm>

namespace vtemper {

MixtureScratch::MixtureScratch(const Components& components) {
  const size_t tile = static_cast<size_t>(kernels::tile_rows);
  const size_t stride = static_cast<size_t>(components.stride());
  differences.resize(stride * tile);
  scales.resize(tile);
  index.resize(tile);
  row.resize(stride);
  missing.reserve(components.columns());
}

MixtureWork::MixtureWork(const Components& components)
    : update(components.component()), fresh(update), before(update) {
  const size_t columns = static_cast<size_t>(components.columns());
  const size_t components_count = static_cast<size_t>(components.count());
  const size_t stride = static_cast<size_t>(components.stride());
  statistics.resize(components_count * stride * stride);
  for (Array<double>* matrix : {&scatter, &inverse_columns}) matrix->resize(columns * columns);
  matrix_work.resize(columns * columns + 2 * columns);
  for (Array<double>* values : {&constants, &factors, &sizes}) values->resize(components_count);
  for (Array<double>* vectors : {&first, &shift, &prior_shift}) vectors->resize(columns);
}

void MixtureWork::reserve(const Components& components, int64_t rows_at_once, int threads) {
  const size_t tiles = static_cast<size_t>(tiles_of(std::min(rows_at_once, chunk_rows)));
  const size_t places = std::max(tiles * static_cast<size_t>(kernels::tile_rows), powers.size());
  rows.resize(places * static_cast<size_t>(components.stride()));
  tiles_values.resize(places * static_cast<size_t>(components.columns()));
  for (Array<double>* values : {&scores, &responsibilities}) {
    values->resize(places * static_cast<size_t>(components.count()));
  }
  for (Array<double>* values : {&powers, &weights, &log_sums, &means, &bounds}) values->resize(places);
  for (Array<int32_t>* values : {&missing_values, &missing_places}) values->resize(places);
  while (scratch.size() < static_cast<size_t>(threads)) scratch.emplace_back(components);
}

}  // namespace vtemper
