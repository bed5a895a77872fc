#pragma once
// Workspace of a local step of a Gaussian mixture: the rows of the current chunk, their scores and responsibilities,
// the statistics, scratch memory of the threads.

#include <optional>

#include "models/gaussian_mixture/components.h"
#include "models/gaussian_mixture/gaussian_mixture.h"
#include "models/gaussian_mixture/missing.h"
#include "models/mixture_rows.h"

namespace vtemper {

/// Smaller responsibilities are skipped in the statistics: they are far below rounding.
constexpr double least_responsibility = 1e-30;

/// Workspace of one thread.
struct MixtureScratch {
  explicit MixtureScratch(const Components& components);
  Array<double> differences;  ///< [max(D, stride) x tile_rows]
  Array<double> scales;       ///< [tile_rows]
  Array<int32_t> index;       ///< [tile_rows]
  Array<double> row;          ///< [stride]
  MissingPart missing;
};

class MixtureWork : public LocalWork, public MixtureRows {
 public:
  explicit MixtureWork(const Components& components);

  /// Reserves memory for chunks of `rows_at_once` rows and `threads` threads; allocates only if larger than before.
  void reserve(const Components& components, int64_t rows_at_once, int threads);

  // Rows of the chunk with some missing values, sorted by pattern.
  Array<int32_t> missing_rows;     ///< [missing]
  Array<int32_t> missing_places;   ///< [rows] index into missing_rows
  Array<uint8_t> patterns;         ///< [missing x D] 1: missing
  Array<int32_t> groups;           ///< [groups + 1] offsets of the groups of rows with the same pattern
  Array<double> log_determinants;  ///< [missing x K] log |W_mm|

  // Statistics and the global step.
  Array<double> statistics;          ///< [K x stride x stride] lower triangles: G, then the row F, N
  Array<double> constants, factors;  ///< [K]
  Array<double> sizes;               ///< [K] of random components
  Component update, fresh, before;
  std::optional<Components> next;         ///< of the prepared step; created by the first
  GlobalChange change;                    ///< likewise
  Array<double> scatter;                  ///< [D x D] S
  Array<double> first;                    ///< [D] F
  Array<double> rows_shift, prior_shift;  ///< [D] f and m0 - c
  ComponentWork update_work;

  std::vector<MixtureScratch> scratch;  ///< one per thread
};

}  // namespace vtemper
