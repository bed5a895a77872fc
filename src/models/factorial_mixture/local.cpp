// The local step of the factorial mixture: solves blocks of rows (block.cpp) and accumulates their statistics.

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "kernels/scalar_functions.h"
#include "models/factorial_mixture/factorial_mixture.h"
#include "models/factorial_mixture/kernels.h"
#include "models/factorial_mixture/rows.h"
#include "models/factorial_mixture/work.h"
#include "support/interruption.h"
#include "support/large_array.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Segments of rows with separate sums: enough for many threads, as long as they need little memory.
constexpr int64_t max_segments = 32;
constexpr int64_t min_segments = 4;
constexpr int64_t bytes_of_segments = int64_t{1} << 26;
/// Elements of the statistics per task when the segments are added up.
constexpr int64_t elements_at_once = 4096;
/// Columns of the Gram matrix between polls for an interrupt by the caller.
constexpr int64_t columns_of_gram = 256;

int64_t blocks_of(int64_t rows) {
  return (rows + block_rows - 1) / block_rows;
}

int64_t segments_of(int64_t blocks, int64_t statistics) {
  const int64_t affordable = bytes_of_segments / (statistics * static_cast<int64_t>(sizeof(double)));
  return std::min(blocks, std::clamp(affordable, min_segments, max_segments));
}

void add(LocalSums& sums, const LocalSums& more) {
  sums.count += more.count;
  sums.rows += more.rows;
  sums.tokens += more.tokens;
  sums.expected_log_likelihood += more.expected_log_likelihood;
  sums.bound += more.bound;
  sums.inverse_temperature += more.inverse_temperature;
}

}  // namespace

std::unique_ptr<FactorialWork> FactorialMixture::local_work(const Data* data, int64_t rows) const {
  auto work = std::make_unique<FactorialWork>();
  if (data == nullptr) return work;
  const int64_t size = settings_.components;
  const auto padded = static_cast<size_t>(kernels::padded(size));
  const int64_t length = ComponentStatistics::length(size, columns());
  const int64_t segments = segments_of(blocks_of(rows), length);
  work->means.reserve(static_cast<size_t>(columns()) * padded);
  work->gram.reserve(static_cast<size_t>(size) * padded);
  for (Array<double>* of_components : {&work->offsets, &work->start}) {
    of_components->reserve(static_cast<size_t>(size));
  }
  work->segments.reserve(static_cast<size_t>(segments * length));
  work->sums.reserve(static_cast<size_t>(segments));
  work->statistics.shape(size, columns());
  return work;
}

MemoryNeed FactorialMixture::memory(const Data& data, int64_t rows, bool remember) const {
  const double size = static_cast<double>(settings_.components);
  const double padded = static_cast<double>(kernels::padded(settings_.components));
  const double wide = static_cast<double>(data.columns());
  const int64_t length = ComponentStatistics::length(settings_.components, data.columns());
  const double of_statistics = static_cast<double>(length);
  constexpr double arrays_of_block = 7;  // of RowFields, RowStates twice, by row twice, weighted
  const double scratch = static_cast<double>(block_rows) * (arrays_of_block * padded + columns_at_once);
  MemoryNeed need;
  need.parameters = sizeof(double) * (size + 1) * wide;
  need.work = sizeof(double) * (wide * padded + size * padded + scratch +
                                of_statistics * static_cast<double>(1 + segments_of(blocks_of(rows), length)));
  // Memory of the last step and of the current one.
  if (remember) need.work += 2 * sizeof(double) * static_cast<double>(data.rows()) * (size + 1);
  return need;
}

void FactorialWork::save(ContainerWriter& writer) const {
  remembered.save("rows.activations", writer);
  remembered_inverse.save("rows.inverse_temperature", writer);
}

void FactorialWork::load(const ContainerReader& reader) {
  remembered.load("rows.activations", 1, reader);
  remembered_inverse.load("rows.inverse_temperature", 1, reader);
}

std::unique_ptr<RowSolver> FactorialMixture::row_solver(const Data* data, int64_t rows) const {
  return row_solver_of(*this, local_work(data, rows));
}

std::unique_ptr<ConjugateFit> FactorialMixture::begin_fit(const Data* data, int64_t rows) {
  return fit_of(*this, local_work(data, rows));
}

LocalSums FactorialMixture::local_step(const Batch& batch, const LocalTemperature& temperature,
                                       const LocalSettings& settings, FactorialWork& work) const {
  Plan plan;
  plan.temperature = temperature;
  plan.settings = settings;
  plan.iterations = settings.iterations.value_or(settings_.local_iterations);
  plan.tolerance = settings.tolerance.value_or(settings_.local_tolerance);
  plan.visit_missing = !settings.statistics;
  plan.anneals = !settings.statistics && !settings.remember && temperature.per_row == nullptr &&
                 temperature.inverse == 1 && settings.perturbation.share == 0;
  if (settings.remember) {
    const size_t rows = static_cast<size_t>(batch.data->rows());
    work.remembered.begin(rows * static_cast<size_t>(settings_.components));
    work.remembered_inverse.begin(temperature.per_row ? rows : work.remembered_inverse.size());
  } else {
    work.remembered.pause();
    work.remembered_inverse.pause();
  }
  prepare(*components_, work);
  return solve(*components_, batch, plan, work);
}

/// The means times E tau, stored by columns, their Gram matrix, and the terms of the likelihood that do not depend on
/// the rows.
void FactorialMixture::prepare(const FactorialComponents& components, FactorialWork& work) {
  const int64_t size = components.size();
  const int64_t columns = components.columns();
  const int64_t padded = kernels::padded(size);
  resize_in_parts(work.means, static_cast<size_t>(columns * padded));
  resize_in_parts(work.gram, static_cast<size_t>(size * padded));
  work.offsets.resize(static_cast<size_t>(size));
  work.start.resize(static_cast<size_t>(size));
  for (int64_t k = 0; k < size; ++k) {
    const double* mean = components.mean(k);
    for (int64_t d = 0; d < columns; ++d)
      work.means[static_cast<size_t>(d * padded + k)] = components.precision() * mean[d];
  }
  work.gram.fill(0);
  for (int64_t first = 0; first < padded; first += columns_of_gram) {
    require_not_interrupted();
    kernels::table<double>().add_product({components.mean(0), columns, 1, work.means.data() + first, padded,
                                          work.gram.data() + first, padded, size, columns,
                                          std::min(columns_of_gram, padded - first)});
  }
  work.constant = 0;
  work.constant_of_column = (components.log_precision() - log_two_pi) / 2;
  for (int64_t k = 0; k < size; ++k) {
    double& square = work.gram[static_cast<size_t>(k * padded + k)];
    const double variance = components.precision() * static_cast<double>(columns) * components.variance(k);
    work.offsets[static_cast<size_t>(k)] = components.log_on(k) - components.log_off(k) - (square + variance) / 2;
    work.start[static_cast<size_t>(k)] = components.activation_probability(k);
    work.constant += components.log_off(k);
    square = 0;
  }
}

LocalSums FactorialMixture::solve(const FactorialComponents& components, const Batch& batch, const Plan& plan,
                                  FactorialWork& work) {
  const int threads = plan.settings.threads;
  const int64_t blocks = blocks_of(batch.count);
  const int64_t length = ComponentStatistics::length(components.size(), components.columns());
  const int64_t segments = segments_of(blocks, length);
  if (work.scratch.size() < static_cast<size_t>(threads)) work.scratch.resize(static_cast<size_t>(threads));
  for (FactorialScratch& scratch : work.scratch) {
    scratch.shape(components.size());
    if (plan.visit_missing) scratch.shape_lone(components.size());
  }
  work.sums.resize(static_cast<size_t>(segments));
  if (plan.settings.statistics) {
    resize_in_parts(work.segments, static_cast<size_t>(segments * length));
    work.statistics.shape(components.size(), components.columns());
  }

  parallel_for(threads, segments, [&](int64_t segment, int thread) {
    FactorialScratch& scratch = work.scratch[static_cast<size_t>(thread)];
    LocalSums& sums = work.sums[static_cast<size_t>(segment)];
    sums = LocalSums{};
    double* statistics = plan.settings.statistics ? work.segments.data() + segment * length : nullptr;
    if (statistics) std::fill_n(statistics, length, 0.0);
    const int64_t end = blocks * (segment + 1) / segments;
    for (int64_t i = blocks * segment / segments; i < end; ++i) {
      require_not_interrupted();
      const Batch block = batch.part(i * block_rows, block_rows);
      solve_block(components, block, plan, work, scratch);
      add(sums, sum_block(block, i * block_rows, plan, scratch));
      if (statistics) add_statistics(components, block, scratch, statistics);
    }
  });

  LocalSums sums;
  for (const LocalSums& of_segment : work.sums) add(sums, of_segment);
  if (!plan.settings.statistics) return sums;
  parallel_for(threads, (length + elements_at_once - 1) / elements_at_once, [&](int64_t chunk, int) {
    double* out = work.statistics.values.data();
    const int64_t end = std::min(length, (chunk + 1) * elements_at_once);
    for (int64_t e = chunk * elements_at_once; e < end; ++e) {
      out[e] = 0;
      for (int64_t segment = 0; segment < segments; ++segment) {
        out[e] += work.segments[static_cast<size_t>(segment * length + e)];
      }
    }
  });
  return sums;
}

LocalSums FactorialMixture::sum_block(const Batch& block, int64_t first, const Plan& plan,
                                      const FactorialScratch& scratch) {
  LocalSums sums;
  for (size_t n = 0; n < static_cast<size_t>(block.count); ++n) {
    const double weight = scratch.weights[n];
    sums.count += 1;
    sums.rows += weight;
    sums.tokens += weight;
    sums.inverse_temperature += weight * scratch.states.inverse[n];
    if (plan.settings.row_inverse_temperatures != nullptr) {
      plan.settings.row_inverse_temperatures[first + static_cast<int64_t>(n)] = scratch.states.inverse[n];
    }
    if (!plan.settings.bound) continue;
    sums.expected_log_likelihood += weight * (scratch.fields.constants[n] + scratch.states.likelihoods[n]);
    const double bound = row_bound(scratch.fields, scratch.states, plan.temperature.per_row, n);
    if (plan.settings.row_bounds != nullptr) plan.settings.row_bounds[first + static_cast<int64_t>(n)] = bound;
    sums.bound += weight * bound;
  }
  return sums;
}

void FactorialMixture::add_statistics(const FactorialComponents& components, const Batch& block,
                                      FactorialScratch& scratch, double* statistics) {
  const int64_t size = components.size();
  const int64_t columns = components.columns();
  const int64_t padded = kernels::padded(size);
  const RowStates& rows = scratch.states;
  double* activations = statistics + 2;
  double* pairs = activations + size;
  double* products = pairs + size * size;
  for (int64_t n = 0; n < block.count; ++n) {
    const size_t i = static_cast<size_t>(n);
    statistics[0] += scratch.weights[i] * rows.inverse[i];
    statistics[1] += scratch.weights[i] * rows.inverse[i] * scratch.squares[i];
  }
  for (int64_t k = 0; k < size; ++k) {
    const double* nu = rows.activations.data() + k * block_rows;
    double* weighted = scratch.weighted.data() + k * block_rows;
    for (int64_t n = 0; n < block_rows; ++n) {
      const size_t i = static_cast<size_t>(n);
      weighted[n] = scratch.weights[i] * rows.inverse[i] * nu[n];
      scratch.activations_by_row[static_cast<size_t>(n * padded + k)] = nu[n];
    }
    activations[k] += kernels::table<double>().sum(weighted, block.count);
  }
  kernels::table<double>().add_product({scratch.weighted.data(), block_rows, 1, scratch.activations_by_row.data(),
                                        padded, pairs, size, size, block.count, size});
  for (int64_t first = 0; first < columns; first += columns_at_once) {
    const int64_t count = std::min(columns_at_once, columns - first);
    const RowValues values = row_values(block, first, count, scratch.values);
    kernels::table<double>().add_product({scratch.weighted.data(), block_rows, 1, values.values, values.row_stride,
                                          products + first, columns, size, block.count, count});
  }
}

}  // namespace vtemper
