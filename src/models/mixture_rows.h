#pragma once
// Rows of a mixture over dense data, processed in chunks of tiles: reads values and computes, from the components'
// scores
//   e_nk = E log p(x_n, z_n = k | parameters)
// responsibilities phi_nk prop. exp(s_n e_nk) at temperatures 1/s_n.

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "models/conjugate_model.h"
#include "models/mixture_weights.h"
#include "support/array.h"
#include "support/threads.h"

namespace vtemper {

/// Stream items for randomly drawn components; rows use the items below.
constexpr uint64_t component_stream = uint64_t{1} << 43;
/// Rows per chunk: whole tiles whose values and responsibilities stay in cache.
constexpr int64_t chunk_rows = 16 * kernels::tile_rows;

inline int64_t tiles_of(int64_t rows) {
  return (rows + kernels::tile_rows - 1) / kernels::tile_rows;
}

inline Batch all_rows(const Data& data) {
  return {&data, nullptr, 0, data.rows()};
}

/// Calls visit(chunk) for all rows of the batch, in order.
template <class Visit>
void for_each_chunk(const Batch& batch, const Visit& visit) {
  for (int64_t first = 0; first < batch.count; first += chunk_rows) visit(batch.part(first, chunk_rows));
}

struct MixtureRows {
  int64_t components = 0, columns = 0;
  int64_t stride = 0;  ///< row length: the values, a one, zeros up to a multiple of kernels::padding
  int64_t count = 0;
  const Data* data = nullptr;
  uint64_t first_number = 0;       ///< number of the data's first row in the whole corpus
  Array<int64_t> data_rows;        ///< [rows] indices in the data
  Array<double> rows;              ///< [rows x stride] values (0 where missing), a one, zeros
  Array<double> tiles_values;      ///< [tiles x D x tile_rows] the same values, column-major
  Array<int32_t> missing_values;   ///< [rows] number of missing values
  bool marks_missing = false;      ///< whether read_tile fills the next two arrays, for tiles with missing values
  Array<double> missing;           ///< [rows x D] 1 where missing, else 0
  Array<double> tiles_missing;     ///< [tiles x D x tile_rows] the same, column-major
  Array<double> weights;           ///< [rows] of the data
  Array<double> tokens;            ///< [rows] tokens counted by log C (ConjugateModel::row_tokens)
  Array<double> scores;            ///< [tiles x K x tile_rows] e
  Array<double> responsibilities;  ///< [tiles x K x tile_rows] phi
  Array<double> powers;            ///< [rows] s
  Array<double> log_sums, means;   ///< [rows] log sum_k exp(s e), sum_k phi e
  Array<double> bounds;            ///< [rows] F
  bool every_score = false;        ///< scores are needed also where responsibilities are negligible

  /// Reserves memory for chunks of `rows_at_once` rows; allocates only if larger than before.
  void reserve(int64_t components_of_model, int64_t columns_of_data, int64_t rows_at_once);
  /// Starts a chunk, whose tiles are then read; tokens are 1. All members except begin() may be called concurrently
  /// for different tiles.
  void begin(const Batch& chunk);
  void read_tile(int64_t tile);
  /// Computes responsibilities, powers, log_sums, means and bounds from the scores. Rows with 0 tokens keep the
  /// responsibilities of their scores.
  void solve_tile(int64_t tile, const LocalTemperature& temperature);
  /// Rows without values among [first, last) carry no information: they have the mean weights, and do not contribute
  /// to any sum.
  void settle_empty_rows(int64_t first, int64_t last, const MixtureWeights& mixture);
  /// Stochastic annealing of the rows: phi <- (1 - r) phi + r times a draw from Dir(1, ..., 1).
  void perturb_tile(int64_t tile, const Perturbation& perturbation);
  /// Row t of the chunk belongs to component[t] alone, at T = 1.
  void assign(const int32_t* component);
  /// Replaces phi by w s phi, 0 for rows without values, and adds them to the rows of each component [K].
  void weigh(double* rows_of_components);
  /// out[j * stride] = 1 where value j of row t is missing, else 0.
  template <class Number>
  void mark_missing(int64_t t, Number* out, int64_t out_stride = 1) const {
    Spare spare;
    const DenseRow row = data->dense().row(data_rows[static_cast<size_t>(t)], spare);
    for (int64_t j = 0; j < columns; ++j) out[j * out_stride] = std::isnan(row[j]) ? 1 : 0;
  }
  /// Calls visit(t) for the rows of the chunk, concurrently for different tiles.
  template <class Visit>
  void for_each_row(int threads, const Visit& visit) const {
    parallel_for(threads, tiles_of(count), [&](int64_t tile, int) {
      const int64_t end = std::min(count, (tile + 1) * kernels::tile_rows);
      for (int64_t t = tile * kernels::tile_rows; t < end; ++t) visit(t);
    });
  }
  /// Writes the chunk's responsibilities into rows of the sink, from its row `first` on.
  void write_responsibilities(int64_t first, int threads, const Sink& sink) const;
  /// As above for the values. If columns are independent given the component, missing ones are sum_k phi_k mean(k,
  /// j).
  template <class Mean>
  void write_completed(int64_t first, int threads, const Sink& sink, const Mean& mean) const;
  /// Whether any value of the tile's rows is missing.
  bool misses(int64_t tile) const {
    const int32_t* numbers = missing_values.data() + tile * kernels::tile_rows;
    return std::any_of(numbers, numbers + kernels::tile_rows, [](int32_t number) { return number > 0; });
  }
  /// Adds the chunk's rows in order; the first of them has position `first` in its batch.
  void add_to(LocalSums& sums, const LocalSettings& settings, int64_t first) const;

  /// Index of component k and row t in scores and responsibilities.
  static size_t place(int64_t components, int64_t k, int64_t t) {
    const int64_t tile = t / kernels::tile_rows;
    return static_cast<size_t>((tile * components + k) * kernels::tile_rows + t % kernels::tile_rows);
  }
};

template <class Mean>
void MixtureRows::write_completed(int64_t first, int threads, const Sink& sink, const Mean& mean) const {
  for_each_row(threads, [&](int64_t t) {
    Spare spare;
    const DenseRow values = data->dense().row(data_rows[static_cast<size_t>(t)], spare);
    for (int64_t j = 0; j < columns; ++j) {
      double value = values[j];
      if (std::isnan(value)) {
        double sum = 0, least = mean(0, j), largest = least;
        for (int64_t k = 0; k < components; ++k) {
          sum += responsibilities[place(components, k, t)] * mean(k, j);
          least = std::min(least, mean(k, j));
          largest = std::max(largest, mean(k, j));
        }
        value = std::clamp(sum, least, largest);  // rounding must not push it out of the range of valid data
      }
      sink(first + t, j) = value;
    }
  });
}

}  // namespace vtemper
