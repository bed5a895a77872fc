#pragma once
// Work space of a local step of a Gaussian mixture: the rows of the current chunk, their scores and responsibilities,
// the statistics, scratch of the threads.

#include <optional>

#include "models/gaussian_mixture/components.h"
#include "models/gaussian_mixture/gaussian_mixture.h"
#include "models/gaussian_mixture/missing.h"
#include "models/mixture_rows.h"

namespace vtemper {

/// Responsibilities below this are left out of the statistics: far below their rounding.
constexpr double least_responsibility = 1e-30;

/// What one thread needs.
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

  /// Room for chunks of `rows_at_once` rows and for `threads` threads; allocates only beyond the largest so far.
  void reserve(const Components& components, int64_t rows_at_once, int threads);

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
  std::optional<Components> next;         ///< of the step prepared; made by the first
  GlobalChange change;                    ///< likewise
  Array<double> scatter;                  ///< [D x D] S
  Array<double> first;                    ///< [D] F
  Array<double> rows_shift, prior_shift;  ///< [D] f and m0 - c
  ComponentWork update_work;

  std::vector<MixtureScratch> scratch;  ///< one a thread
};

}  // namespace vtemper
