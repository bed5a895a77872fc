#pragma once
// Workspace of a local step of a Gaussian mixture: the rows of the current chunk, their scores and responsibilities,
// the statistics, scratch memory of the threads.

#include <optional>

#include "models/gaussian_mixture/components.h"
#include "models/gaussian_mixture/gaussian_mixture.h"
#include "models/gaussian_mixture/learned_prior.h"
#include "models/gaussian_mixture/missing.h"

namespace vtemper {

/// Smaller responsibilities are skipped in the statistics: they are far below rounding.
constexpr double min_responsibility = 1e-30;
/// Scores are bounded before they are computed for at least as many columns (scores.cpp).
constexpr int64_t min_bounded_columns = 128;
/// The most rows whose products are added to the statistics together.
constexpr int64_t statistics_rows = 4 * kernels::tile_rows;

/// Rows of the chunk that are scored under a component: `count` of MixtureWork::selected, from `first` on.
struct SelectedRows {
  int64_t component, first, count;
};

/// Workspace of one thread.
struct MixtureScratch {
  explicit MixtureScratch(const Components& components);
  Array<double> differences;  ///< [statistics_rows x stride]
  Array<double> scales;       ///< [statistics_rows]
  Array<int32_t> index;       ///< [statistics_rows]
  Array<double> rows, tile;   ///< [tile_rows x stride], [D x tile_rows] selected rows; with bounded scores
  Array<double> row;          ///< [stride]
  MissingPart missing;
};

class MixtureWork : public DenseMixtureWork {
 public:
  explicit MixtureWork(const Components& components);

  /// Reserves memory for chunks of `rows_at_once` rows and `threads` threads; allocates only if larger than before.
  void reserve(const Components& components, int64_t rows_at_once, int threads);

  /// Selects the complete rows t of the chunk with is_wanted(k, t), by component.
  template <class Wanted>
  void select(const Wanted& is_wanted);

  // With at least min_bounded_columns columns.
  Array<int32_t> best;         ///< [rows] component with the best bound
  Array<int32_t> selected;     ///< [up to K x rows] rows
  Array<SelectedRows> pieces;  ///< of at most tile_rows of them

  // Rows of the chunk with some missing values, sorted by pattern.
  Array<int32_t> missing_rows;     ///< [missing]
  Array<int32_t> missing_places;   ///< [rows] index into missing_rows
  Array<uint8_t> patterns;         ///< [missing x D] 1: missing
  Array<int32_t> groups;           ///< [groups + 1] offsets of the groups of rows with the same pattern
  Array<double> log_determinants;  ///< [missing x K] log |W_mm|

  // The global step. Statistics: [K x stride x stride] lower triangles: G, then the row F, N.
  Array<double> constants, factors;  ///< [K]
  Array<double> sizes;               ///< [K] of random components
  Component update, fresh, before;
  std::optional<Components> next;         ///< of the prepared step; created by the first
  Array<double> scatter;                  ///< [D x D] S
  Array<double> first;                    ///< [D] F
  Array<double> rows_shift, prior_shift;  ///< [D] f and m0 - c
  ComponentWork update_work;
  PriorWork prior;  ///< with learn_priors

  std::vector<MixtureScratch> scratch;  ///< one per thread
};

template <class Wanted>
void MixtureWork::select(const Wanted& is_wanted) {
  selected.resize(0);
  pieces.resize(0);
  for (int64_t k = 0; k < components; ++k) {
    int64_t begin = static_cast<int64_t>(selected.size());
    for (int64_t t = 0; t < count; ++t) {
      if (missing_values[static_cast<size_t>(t)] > 0 || !is_wanted(k, t)) continue;
      selected.resize(selected.size() + 1);
      selected[selected.size() - 1] = static_cast<int32_t>(t);
    }
    const int64_t end = static_cast<int64_t>(selected.size());
    for (; begin < end; begin += kernels::tile_rows) {
      pieces.resize(pieces.size() + 1);
      pieces[pieces.size() - 1] = {k, begin, std::min(kernels::tile_rows, end - begin)};
    }
  }
}

}  // namespace vtemper
