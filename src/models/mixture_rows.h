#pragma once
// Rows of a mixture over dense data, a chunk at a time in tiles: values in, and from the components' scores
//   e_nk = E log p(x_n, z_n = k | parameters)
// responsibilities phi_nk prop. exp(s_n e_nk) at the rows' temperatures 1/s_n.

#include <algorithm>

#include "kernels/dispatch.h"
#include "models/conjugate_model.h"
#include "support/array.h"

namespace vtemper {

/// Rows processed together: whole tiles whose values and responsibilities stay in the cache.
constexpr int64_t chunk_rows = 16 * kernels::tile_rows;

inline int64_t tiles_of(int64_t rows) {
  return (rows + kernels::tile_rows - 1) / kernels::tile_rows;
}

struct MixtureRows {
  int64_t components = 0, columns = 0;
  int64_t stride = 0;  ///< of rows: the values, a one, zeros to a multiple of kernels::padding
  int64_t count = 0;
  const Data* data = nullptr;
  uint64_t first_number = 0;       ///< of the data's first row in the whole corpus
  Array<int64_t> data_rows;        ///< [rows] their numbers in the data
  Array<double> rows;              ///< [rows x stride] values (0 where missing), a one, zeros
  Array<double> tiles_values;      ///< [tiles x D x tile_rows] the same values, column by column
  Array<int32_t> missing_values;   ///< [rows] how many are missing
  Array<double> weights;           ///< [rows] of the data
  Array<double> tokens;            ///< [rows] what log C counts in a row (ConjugateModel::row_tokens)
  Array<double> scores;            ///< [tiles x K x tile_rows] e
  Array<double> responsibilities;  ///< [tiles x K x tile_rows] phi
  Array<double> powers;            ///< [rows] s
  Array<double> log_sums, means;   ///< [rows] log sum_k exp(s e), sum_k phi e
  Array<double> bounds;            ///< [rows] F

  /// Room for chunks of `rows_at_once` rows; allocates only beyond the largest so far.
  void reserve(int64_t components_of_model, int64_t columns_of_data, int64_t rows_at_once);
  /// Takes the chunk, whose tiles are then read; tokens are 1. All of this but begin() may be called for tiles side
  /// by side.
  void begin(const Batch& chunk);
  void read_tile(int64_t tile);
  /// responsibilities, powers, log_sums, means and bounds from scores. Rows with tokens 0 are left with the
  /// responsibilities of their scores.
  void solve_tile(int64_t tile, const LocalTemperature& temperature);
  /// Stochastic annealing of the rows: phi keeps a share 1 - r of itself and takes r of a draw from Dir(1, ..., 1).
  void perturb_tile(int64_t tile, const Perturbation& perturbation);
  /// Some value of the tile's rows is missing.
  bool misses(int64_t tile) const {
    const int32_t* missing = missing_values.data() + tile * kernels::tile_rows;
    return std::any_of(missing, missing + kernels::tile_rows, [](int32_t values) { return values > 0; });
  }
  /// Adds the chunk's rows in their order.
  void add_to(LocalSums& sums) const;

  /// Of component k and row t in scores and responsibilities.
  static size_t place(int64_t components, int64_t k, int64_t t) {
    const int64_t tile = t / kernels::tile_rows;
    return static_cast<size_t>((tile * components + k) * kernels::tile_rows + t % kernels::tile_rows);
  }
};

}  // namespace vtemper
