// The local step of a Gaussian mixture, in chunks of rows: read and score them, solve for responsibilities (and
// temperatures per row), accumulate their statistics (statistics.cpp).

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/gaussian_mixture/log_sum.h"
#include "models/gaussian_mixture/packed_factor.h"
#include "models/gaussian_mixture/work.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// A row's temperature has converged when 1/T changes by less.
constexpr double settled_inverse_temperature = 1e-3;
constexpr int64_t tile = kernels::tile_rows;

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
    const int64_t row = work.data_rows[static_cast<size_t>(t)];
    for (size_t j = 0; j < columns; ++j) {
      work.patterns[static_cast<size_t>(t) * columns + j] =
          std::isnan(dense.at(row, static_cast<int64_t>(j))) ? 1 : 0;
    }
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

std::unique_ptr<MixtureWork> GaussianMixture::local_work(const Data* data, int64_t rows) const {
  auto work = std::make_unique<MixtureWork>(*components_);
  if (data != nullptr) work->reserve(*components_, rows, 1);
  return work;
}

std::optional<MemoryNeed> GaussianMixture::memory(const Data& data, int64_t rows, bool) const {
  // Also valid before the model is initialised.
  const double size = static_cast<double>(settings_.components);
  const double stride = static_cast<double>(kernels::padded(data.columns() + 1));
  const double matrix = static_cast<double>(data.columns()) * static_cast<double>(data.columns());
  const double places = static_cast<double>(tiles_of(std::min(rows, chunk_rows)) * kernels::tile_rows);
  const double matrices = settings_.independent ? 4.5 : 2.5;  // W^-1, W, half a factor; P, P^-1
  constexpr double matrices_of_work = 10;
  const double updated = size * (matrices * matrix + stride);  // a second set of components
  constexpr double numbers_of_row = 8;
  MemoryNeed need;
  need.parameters = sizeof(double) * size * (matrices * matrix + stride);
  need.work = sizeof(double) * (size * stride * stride + updated + matrices_of_work * matrix +
                                places * (stride + static_cast<double>(data.columns()) + 2 * size + numbers_of_row) +
                                stride * static_cast<double>(kernels::tile_rows));
  return need;
}

/// e = constants_k + factors_k (x - m_k)' W_k (x - m_k) for every row of the chunk.
void GaussianMixture::score_chunk(const Batch& chunk, const double* constants, const double* factors, int threads,
                                  MixtureWork& work) const {
  const Components& components = *components_;
  const Dense& dense = chunk.data->dense();
  const auto& kernels = kernels::instruction_set().dense;
  work.reserve(components, chunk.count, threads);
  work.begin(chunk);
  parallel_for(threads, tiles_of(chunk.count), [&](int64_t index, int thread) {
    const int64_t first = index * tile;
    work.read_tile(index);
    for (int64_t k = 0; k < components.count(); ++k) {
      kernels.squared_lengths(components.packed_factor(k), components.columns(),
                              work.tiles_values.data() + first * components.columns(), components.mean(k),
                              constants[k], factors[k], work.scratch[static_cast<size_t>(thread)].differences.data(),
                              work.scores.data() + MixtureWork::place(components.count(), k, first));
    }
  });
  group_missing(dense, components.count(), work);
  if (!work.missing_rows.empty()) score_missing(constants, factors, threads, work);
}

void GaussianMixture::score_missing(const double* constants, const double* factors, int threads,
                                    MixtureWork& work) const {
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
            constants[k] + factors[k] * squared_length(components.packed_factor(k), columns, difference);
        work.log_determinants[i * static_cast<size_t>(components.count()) + static_cast<size_t>(k)] =
            scratch.missing.log_determinant();
      }
    }
  });
}

/// Responsibilities, s L and F of the chunk's rows, from their scores.
void GaussianMixture::solve_chunk(const LocalTemperature& temperature, const LocalSettings& settings,
                                  MixtureWork& work) const {
  const int64_t components = components_->count();
  parallel_for(settings.threads, tiles_of(work.count),
               [&](int64_t index, int) { work.solve_tile(index, temperature); });
  if (!work.missing_rows.empty()) solve_missing(temperature, work);

  // Rows without observed values are uninformative: their responsibilities are the expected weights.
  for (int64_t t = 0; t < work.count; ++t) {
    if (work.missing_values[static_cast<size_t>(t)] != components_->columns()) continue;
    work.means[static_cast<size_t>(t)] = work.bounds[static_cast<size_t>(t)] = 0;
    for (int64_t k = 0; k < components; ++k) {
      work.responsibilities[MixtureWork::place(components, k, t)] =
          components_->concentration(k) / components_->total_concentration();
    }
  }
  parallel_for(settings.threads, tiles_of(work.count),
               [&](int64_t index, int) { work.perturb_tile(index, settings.perturbation); });
}

/// Rows with M missing values: phi_k prop. exp(s e_k + h_k) with h_k = log of the integral over the missing values at
/// s = 1 (missing.h), F = log sum_k exp(s e_k + h_k) - M/2 log s, L = sum_k phi_k e_k - M / (2 s).
void GaussianMixture::solve_missing(const LocalTemperature& temperature, MixtureWork& work) const {
  const Components& components = *components_;
  const int64_t count = components.count();
  for (size_t i = 0; i < work.missing_rows.size(); ++i) {
    const int64_t t = work.missing_rows[i];
    const double missing = work.missing_values[static_cast<size_t>(t)];
    const double* log_determinants = work.log_determinants.data() + i * static_cast<size_t>(count);
    const auto log_weight = [&](int64_t k, double power) {
      return power * work.scores[MixtureWork::place(count, k, t)] +
             0.5 * (missing * (log_two_pi - std::log(components.dof(k))) - log_determinants[k]);
    };
    double power = temperature.per_row ? temperature.per_row->start : temperature.inverse;
    double likelihood = 0, log_sum = 0;
    const auto solve = [&] {
      LogSum sum;
      for (int64_t k = 0; k < count; ++k) sum.add(log_weight(k, power));
      log_sum = sum.value();
      likelihood = -missing / (2 * power);
      for (int64_t k = 0; k < count; ++k) {
        const size_t place = MixtureWork::place(count, k, t);
        work.responsibilities[place] = std::exp(log_weight(k, power) - log_sum);
        likelihood += work.responsibilities[place] * work.scores[place];
      }
    };
    for (int round = 0; temperature.per_row && round < temperature.per_row->rounds; ++round) {
      solve();
      const double before = power;
      power = temperature.per_row->expected_inverse(likelihood, 1);
      if (std::abs(power - before) < settled_inverse_temperature) break;
    }
    solve();
    double bound = log_sum - missing / 2 * std::log(power);
    if (temperature.per_row) bound += temperature.per_row->log_evidence(likelihood, 1) - power * likelihood;
    work.powers[static_cast<size_t>(t)] = power;
    work.means[static_cast<size_t>(t)] = likelihood;
    work.bounds[static_cast<size_t>(t)] = bound;
  }
}

std::unique_ptr<RowSolver> GaussianMixture::row_solver(const Data* data, int64_t rows) const {
  return row_solver_of(*this, local_work(data, rows));
}

std::unique_ptr<ConjugateFit> GaussianMixture::begin_fit(const Data* data, int64_t rows) {
  return fit_of(*this, local_work(data, rows));
}

LocalSums GaussianMixture::local_step(const Batch& batch, const LocalTemperature& temperature,
                                      const LocalSettings& settings, MixtureWork& work) const {
  for (int64_t k = 0; k < components_->count(); ++k) {
    work.constants[static_cast<size_t>(k)] = components_->expected_constant(k);
    work.factors[static_cast<size_t>(k)] = -0.5 * components_->dof(k);
  }
  if (settings.statistics) work.statistics.fill(0);
  LocalSums sums;
  for (int64_t first = 0; first < batch.count; first += chunk_rows) {
    const Batch chunk = batch.part(first, chunk_rows);
    score_chunk(chunk, work.constants.data(), work.factors.data(), settings.threads, work);
    solve_chunk(temperature, settings, work);
    work.add_to(sums);
    if (settings.statistics) collect_statistics(settings.threads, work);
  }
  return sums;
}

}  // namespace vtemper
