// Scores of a chunk of rows, e_nk = constants_k + factors_k (x_n - m_k)' W_k (x_n - m_k); the workspace has both.
//
// With A'A = W and A lower triangular, the squares of the first rows of A (x - m) need only the first columns of x
// and are an upper bound of the score: factors are negative. A quarter of the columns costs a sixteenth of the
// products. With many columns most components are then already out of the question for a row, and their scores remain
// bounds.

#include <algorithm>
#include <cmath>

#include "models/gaussian_mixture/kernels.h"
#include "models/gaussian_mixture/packed_factor.h"
#include "models/gaussian_mixture/work.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr int64_t tile = kernels::tile_rows;
/// Chunks of fewer rows are scored at once: those selected for a component fill no tile.
constexpr int64_t min_rows = 4 * tile;
/// A component whose s e is smaller than another's by more has a responsibility below min_responsibility, and
/// changes no sum over components.
constexpr double negligible_below = 80;

/// Collects rows with missing values, sorted by pattern; rows with no observed value are skipped.
void group_missing(const Dense& dense, int64_t components, MixtureWork& work) {
  const size_t columns = static_cast<size_t>(dense.columns);
  size_t missing = 0;
  work.missing_rows.resize(static_cast<size_t>(work.count));
  for (int64_t t = 0; t < work.count; ++t) {
    const int32_t values = work.missing_values[static_cast<size_t>(t)];
    if (values > 0 && values < dense.columns) work.missing_rows[missing++] = static_cast<int32_t>(t);
  }
  work.missing_rows.resize(missing);
  work.groups.resize(1);
  work.groups[0] = 0;
  if (missing == 0) return;
  const size_t places = work.missing_places.size();
  work.groups.reserve(places + 1);
  work.patterns.reserve(places * columns);
  work.log_determinants.reserve(places * static_cast<size_t>(components));

  // Indexed by row of the chunk; entries of complete rows are unused.
  work.patterns.resize(static_cast<size_t>(work.count) * columns);
  for (const int32_t t : work.missing_rows) {
    work.mark_missing(t, work.patterns.data() + static_cast<size_t>(t) * columns);
  }
  const auto compare = [&](int32_t a, int32_t b) {
    return std::memcmp(work.patterns.data() + static_cast<size_t>(a) * columns,
                       work.patterns.data() + static_cast<size_t>(b) * columns, columns);
  };
  std::sort(work.missing_rows.begin(), work.missing_rows.end(), [&](int32_t a, int32_t b) {
    const int order = compare(a, b);
    return order < 0 || (order == 0 && a < b);
  });
  for (size_t i = 0; i < missing; ++i) {
    work.missing_places[static_cast<size_t>(work.missing_rows[i])] = static_cast<int32_t>(i);
  }
  for (size_t i = 1; i <= missing; ++i) {
    if (i < missing && compare(work.missing_rows[i - 1], work.missing_rows[i]) == 0) continue;
    work.groups.resize(work.groups.size() + 1);
    work.groups[work.groups.size() - 1] = static_cast<int32_t>(i);
  }
  work.log_determinants.resize(missing * static_cast<size_t>(components));
}

}  // namespace

/// Scores may remain upper bounds where responsibilities at the inverse temperature s are negligible; s = 0: nowhere.
void GaussianMixture::score_chunk(const Batch& chunk, double s, int threads, MixtureWork& work) const {
  const Components& components = *components_;
  const Dense& dense = chunk.data->dense();
  const auto& kernels = kernels::model_kernels<kernels::GaussianMixtureKernels>();
  work.reserve(components, chunk.count, threads);
  work.begin(chunk);
  const bool by_bounds =
      s > 0 && components.count() > 1 && components.columns() >= min_bounded_columns && chunk.count >= min_rows;
  const int64_t columns =
      by_bounds ? components.columns() / 4 / kernels::factor_block * kernels::factor_block : components.columns();
  parallel_for(threads, tiles_of(chunk.count), [&](int64_t index, int thread) {
    const int64_t first = index * tile;
    work.read_tile(index);
    for (int64_t k = 0; k < components.count(); ++k) {
      kernels.squared_lengths(components.packed_factor(k), columns,
                              work.tiles_values.data() + first * components.columns(), components.mean(k),
                              work.constants[static_cast<size_t>(k)], work.factors[static_cast<size_t>(k)],
                              work.scratch[static_cast<size_t>(thread)].differences.data(),
                              work.scores.data() + MixtureWork::place(components.count(), k, first));
    }
  });
  if (by_bounds) score_candidates(columns, s, threads, work);
  group_missing(dense, components.count(), work);
  if (!work.missing_rows.empty()) score_missing(threads, work);
}

/// Scores hold bounds from the first `columns` columns. First the component with the best bound of a row gets its
/// score. Those that may come near it are then bounded by twice as many columns, as long as that excludes at least
/// half of them; the rest get their scores.
void GaussianMixture::score_candidates(int64_t columns, double s, int threads, MixtureWork& work) const {
  const int64_t count = components_->count();
  const auto score = [&](int64_t k, int64_t t) { return work.scores[MixtureWork::place(count, k, t)]; };
  for (int64_t t = 0; t < work.count; ++t) {
    int32_t& best = work.best[static_cast<size_t>(t)] = 0;
    for (int32_t k = 1; k < count; ++k) best = score(k, t) > score(best, t) ? k : best;
  }
  const auto is_best = [&](int64_t k, int64_t t) { return work.best[static_cast<size_t>(t)] == k; };
  work.select(is_best);
  score_selected(components_->columns(), threads, work);
  size_t before = static_cast<size_t>(work.count * (count - 1));
  for (bool finished = false; !finished;) {
    work.select([&](int64_t k, int64_t t) {
      const double distance = score(work.best[static_cast<size_t>(t)], t) - score(k, t);
      return !is_best(k, t) && !(s * distance > negligible_below);
    });
    columns *= 2;
    finished = 2 * work.selected.size() > before || columns >= components_->columns();
    before = work.selected.size();
    score_selected(finished ? components_->columns() : columns, threads, work);
  }
}

/// Scores of the selected pairs from their first `columns` columns.
void GaussianMixture::score_selected(int64_t columns, int threads, MixtureWork& work) const {
  const Components& components = *components_;
  const int64_t stride = components.stride();
  const auto transpose = kernels::instruction_set().double_precision.transpose;
  const auto squared_lengths = kernels::model_kernels<kernels::GaussianMixtureKernels>().squared_lengths;
  parallel_for(threads, static_cast<int64_t>(work.pieces.size()), [&](int64_t index, int thread) {
    MixtureScratch& scratch = work.scratch[static_cast<size_t>(thread)];
    const SelectedRows& piece = work.pieces[static_cast<size_t>(index)];
    const size_t k = static_cast<size_t>(piece.component);
    const int32_t* rows = work.selected.data() + piece.first;
    for (int64_t i = 0; i < piece.count; ++i) {
      std::copy_n(work.rows.data() + rows[i] * stride, columns, scratch.rows.data() + i * stride);
    }
    transpose({scratch.rows.data(), stride, tile, columns, scratch.tile.data(), tile});
    alignas(64) double scores[tile];
    squared_lengths(components.packed_factor(piece.component), columns, scratch.tile.data(),
                    components.mean(piece.component), work.constants[k], work.factors[k], scratch.differences.data(),
                    scores);
    for (int64_t i = 0; i < piece.count; ++i) {
      work.scores[MixtureWork::place(components.count(), piece.component, rows[i])] = scores[i];
    }
  });
}

void GaussianMixture::score_missing(int threads, MixtureWork& work) const {
  const Components& components = *components_;
  const int64_t columns = components.columns();
  parallel_for(threads, components.count(), [&](int64_t k, int thread) {
    MixtureScratch& scratch = work.scratch[static_cast<size_t>(thread)];
    for (size_t group = 0; group + 1 < work.groups.size(); ++group) {
      const size_t begin = static_cast<size_t>(work.groups[group]);
      const size_t end = static_cast<size_t>(work.groups[group + 1]);
      scratch.missing.choose(components.scale(k), columns, work.patterns.data() + work.missing_rows[begin] * columns);
      for (size_t i = begin; i < end; ++i) {
        const int64_t t = work.missing_rows[i];
        const double* row = work.rows.data() + t * components.stride();
        double* difference = scratch.row.data();
        for (int64_t j = 0; j < columns; ++j) difference[j] = row[j] - components.mean(k)[j];
        scratch.missing.complete(difference);
        work.scores[MixtureWork::place(components.count(), k, t)] =
            work.constants[static_cast<size_t>(k)] +
            work.factors[static_cast<size_t>(k)] * squared_length(components.packed_factor(k), columns, difference);
        work.log_determinants[i * static_cast<size_t>(components.count()) + static_cast<size_t>(k)] =
            scratch.missing.log_determinant();
      }
    }
  });
}

}  // namespace vtemper
