#pragma once
// The vector kernels of Gaussian mixtures, in double, over dense rows in tiles. All arrays are 64-byte aligned.

#include <cstdint>

#include "kernels/table.h"

namespace vtemper::kernels {

constexpr int64_t factor_block = 4;  ///< rows per block of a triangular factor

/// Number of doubles of a packed lower triangular n x n matrix A: in blocks of factor_block rows, column by column up
/// to the diagonal, with rows beyond n as zeros.
constexpr int64_t packed_factor_size(int64_t n) {
  const int64_t blocks = (n + factor_block - 1) / factor_block;
  return blocks * (blocks + 1) / 2 * factor_block * factor_block;
}

struct GaussianMixtureKernels {
  static constexpr const char* model = "gaussian_mixture";

  /// out_t = constant + factor |A (x_t - m)|^2 of the tile_rows rows of a tile.
  ///   packed  A, lower triangular [n x n], packed (see packed_factor_size)
  ///   tile    [n x tile_rows], column-major data; centre: m [n]; scratch [n x tile_rows]
  void (*squared_lengths)(const double* packed, int64_t n, const double* tile, const double* centre, double constant,
                          double factor, double* scratch, double* out);

  /// out_i = scales_i (rows_{index_i} - centre), i < count; rows and out have `stride` (a multiple of `padding`)
  /// doubles a row.
  void (*scaled_differences)(const double* rows, const int32_t* index, const double* scales, int64_t count,
                             const double* centre, int64_t stride, double* out);

  /// out_ij += sum_t rows_ti rows_tj for j <= i < n (and some j > i below `stride`); out [stride x stride].
  void (*add_row_products)(const double* rows, int64_t count, int64_t n, int64_t stride, double* out);
};

}  // namespace vtemper::kernels
