#pragma once
// Work space of a local step of a Gaussian mixture: the rows of the current chunk, their scores and responsibilities,
// the statistics, scratch of the threads.

#include "models/gaussian_mixture/components.h"
#include "models/gaussian_mixture/gaussian_mixture.h"
#include "models/gaussian_mixture/missing.h"

namespace vtemper {

/// Rows processed together: whole tiles whose values and responsibilities stay in the cache.
constexpr int64_t chunk_rows = 16 * kernels::tile_rows;
/// Responsibilities below this are left out of the statistics: far below their rounding.
constexpr double least_responsibility = 1e-30;

inline int64_t tiles_of(int64_t rows) {
  return (rows + kernels::tile_rows - 1) / kernels::tile_rows;
}

/// What one thread needs.
struct MixtureScratch {
  explicit MixtureScratch(const Components& components);
  Array<double> differences;  ///< [max(D, stride) x tile_rows]
  Array<double> scales;       ///< [tile_rows]
  Array<int32_t> index;       ///< [tile_rows]
  Array<double> row;          ///< [stride]
  MissingPart missing;
};

class MixtureWork final : public LocalWork {
 public:
  explicit MixtureWork(const Components& components);

  /// Room for chunks of `rows_at_once` rows and for `threads` threads; allocates only beyond the largest so far.
  void reserve(const Components& components, int64_t rows_at_once, int threads);

  // Rows of the chunk.
  int64_t count = 0;
  const Data* data = nullptr;
  Array<int64_t> data_rows;        ///< [rows] their numbers in the data
  Array<double> rows;              ///< [rows x stride] values (0 where missing), a one, zeros
  Array<double> tiles_values;      ///< [tiles x D x tile_rows] the same values, column by column
  Array<double> scores;            ///< [tiles x K x tile_rows] e
  Array<double> responsibilities;  ///< [tiles x K x tile_rows] phi
  Array<double> powers;            ///< [rows] s
  Array<double> weights;           ///< [rows] of the data
  Array<double> log_sums, means;   ///< [rows] log sum_k exp(s e), sum_k phi e
  Array<double> bounds;            ///< [rows] F
  Array<int32_t> missing_values;   ///< [rows] how many are missing

  // Rows of the chunk with some values missing, sorted by what they miss.
  Array<int32_t> missing_rows;     ///< [missing]
  Array<int32_t> missing_places;   ///< [rows] where in missing_rows
  Array<uint8_t> patterns;         ///< [missing x D] 1: missing
  Array<int32_t> groups;           ///< [groups + 1] begins of the rows that miss the same
  Array<double> log_determinants;  ///< [missing x K] log |W_mm|

  // Statistics and the global step.
  Array<double> statistics;          ///< [K x stride x stride] lower triangles: G, then the row F, N
  Array<double> constants, factors;  ///< [K]
  Array<double> sizes;               ///< [K] of drawn components
  Component update, fresh, before;
  Array<double> scatter;             ///< [D x D] s' W0^-1 + G
  Array<double> first;               ///< [D] F
  Array<double> shift, prior_shift;  ///< [D] m - c and m0 - c
  Array<double> inverse_columns;     ///< [D x D]
  Array<double> matrix_work;         ///< [D x D + 2 D]

  std::vector<MixtureScratch> scratch;  ///< one a thread

  /// Of component k and row t in scores and responsibilities.
  static size_t place(int64_t components, int64_t k, int64_t t) {
    const int64_t tile = t / kernels::tile_rows;
    return static_cast<size_t>((tile * components + k) * kernels::tile_rows + t % kernels::tile_rows);
  }
};

}  // namespace vtemper
