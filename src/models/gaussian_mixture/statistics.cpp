// Statistics of a Gaussian mixture, centred at the component means.

#include <algorithm>
#include <cmath>

#include "models/gaussian_mixture/kernels.h"
#include "models/gaussian_mixture/work.h"
#include "support/error.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

void GaussianMixture::collect(int threads, MixtureWork& work) const {
  const Components& components = *components_;
  const int64_t stride = components.stride();
  const auto& kernels = kernels::model_kernels<kernels::GaussianMixtureKernels>();
  // More rows together read and write large statistics less often; small ones stay in the nearest cache with one
  // tile.
  const int64_t together = components.columns() < min_bounded_columns ? kernels::tile_rows : statistics_rows;
  parallel_for(threads, components.count(), [&](int64_t k, int thread) {
    MixtureScratch& scratch = work.scratch[static_cast<size_t>(thread)];
    double* sums = work.statistics.data() + k * stride * stride;
    int64_t gathered = 0;
    const auto flush = [&] {
      kernels.scaled_differences(work.rows.data(), scratch.index.data(), scratch.scales.data(), gathered,
                                 components.mean(k), stride, scratch.differences.data());
      kernels.add_row_products(scratch.differences.data(), gathered, components.columns() + 1, stride, sums);
      gathered = 0;
    };
    for (int64_t t = 0; t < work.count; ++t) {
      const size_t row = static_cast<size_t>(t);
      const double phi = work.responsibilities[MixtureWork::place(components.count(), k, t)];
      if (!(phi > min_responsibility) || work.missing_values[row] > 0 || !(work.weights[row] > 0)) continue;
      scratch.index[static_cast<size_t>(gathered)] = static_cast<int32_t>(t);
      scratch.scales[static_cast<size_t>(gathered)] = std::sqrt(work.weights[row] * work.powers[row] * phi);
      if (++gathered == together) flush();
    }
    if (gathered > 0) flush();
    if (!work.missing_rows.empty()) collect_missing(k, sums, work, scratch);
  });
}

/// Rows with missing values contribute their conditional means and the conditional covariance (s nu W_mm)^-1.
void GaussianMixture::collect_missing(int64_t k, double* sums, MixtureWork& work, MixtureScratch& scratch) const {
  const Components& components = *components_;
  const int64_t columns = components.columns();
  const int64_t stride = components.stride();
  for (size_t group = 0; group + 1 < work.groups.size(); ++group) {
    const size_t begin = static_cast<size_t>(work.groups[group]);
    const size_t end = static_cast<size_t>(work.groups[group + 1]);
    scratch.missing.choose(components.scale(k), columns, work.patterns.data() + work.missing_rows[begin] * columns);
    double held = 0;
    for (size_t i = begin; i < end; ++i) {
      const int64_t t = work.missing_rows[i];
      const double share =
          work.weights[static_cast<size_t>(t)] * work.responsibilities[MixtureWork::place(components.count(), k, t)];
      if (!(share > 0)) continue;
      held += share;
      const double weight = share * work.powers[static_cast<size_t>(t)];
      const double* row = work.rows.data() + t * stride;
      double* difference = scratch.row.data();
      for (int64_t j = 0; j < columns; ++j) difference[j] = row[j] - components.mean(k)[j];
      scratch.missing.complete(difference);
      difference[columns] = 1;
      for (int64_t a = 0; a <= columns; ++a) {
        for (int64_t b = 0; b <= a; ++b) sums[a * stride + b] += weight * difference[a] * difference[b];
      }
    }
    scratch.missing.add_covariance(held / components.dof(k), sums, stride);
  }
}

int64_t GaussianMixture::statistics_length() const {
  const int64_t columns = components_->columns();
  return components_->count() * (columns + 1) * (columns + 2) / 2;
}

std::vector<Quantity> GaussianMixture::statistics() const {
  return {
      {"moments",
       {components_->count(), statistics_length() / components_->count()},
       false,
       "For each component the lower triangle of [G F; F' N], row by row: G = sum r x x', F = sum r x', N = sum r."}};
}

/// For each component the lower triangle of [G F; F' N], row-major.
void GaussianMixture::write_statistics(const MixtureWork& work, double* out) const {
  const int64_t stride = components_->stride();
  for (int64_t k = 0; k < components_->count(); ++k) {
    const double* sums = work.statistics.data() + k * stride * stride;
    for (int64_t i = 0; i <= components_->columns(); ++i) out = std::copy_n(sums + i * stride, i + 1, out);
  }
}

void GaussianMixture::read_statistics(const double* in, MixtureWork& work) const {
  const int64_t stride = components_->stride();
  const double* next = in;
  for (int64_t k = 0; k < components_->count(); ++k) {
    for (int64_t i = 0; i <= components_->columns(); ++i, next += i) {
      if (next[i] >= 0) continue;
      throw Error(VTEMPER_ERROR_DATA,
                  message("element ", static_cast<int64_t>(next + i - in), " of the model's statistics is ", next[i],
                          "; a sum of squares or weights is not negative"));
    }
  }
  for (int64_t k = 0; k < components_->count(); ++k) {
    double* sums = work.statistics.data() + k * stride * stride;
    for (int64_t i = 0; i <= components_->columns(); ++i, in += i) std::copy_n(in, i + 1, sums + i * stride);
  }
}

}  // namespace vtemper
