// A block of rows: projection on the means, then updates of the activations until convergence.

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "models/factorial_mixture/factorial_mixture.h"
#include "models/factorial_mixture/rows.h"
#include "models/factorial_mixture/work.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/random_streams.h"
#include "support/text.h"

namespace vtemper {

namespace {

/// Updates of a row between updates of its own temperature; fewer if it continues from its last step, because rows
/// that converge before the components do would cool too early.
constexpr int64_t iterations_per_round = 8;
constexpr int64_t iterations_per_step = 2;

const kernels::FactorialMixtureKernels& activation_kernels() {
  return kernels::model_kernels<kernels::FactorialMixtureKernels>();
}

kernels::Activations rows_of(const RowFields& fields, const Array<double>& gram, const Array<double>& offsets,
                             double tolerance, RowStates& states) {
  return {gram.data(),
          offsets.data(),
          fields.projections.data(),
          states.inverse.data(),
          static_cast<int64_t>(offsets.size()),
          tolerance,
          states.activations.data(),
          states.moving.data()};
}

void update(const kernels::Activations& rows, int64_t iterations) {
  for (int64_t i = 0; i < iterations && activation_kernels().sweep_activations(rows); ++i) require_not_interrupted();
}

/// Activations of the first `count` rows at their temperatures. With local tempering, `rounds` rounds of {a few
/// updates; temperatures from their posteriors} precede the final one, so each row ends with the best posterior at
/// its temperature. Also computes likelihoods and entropies.
void solve_rows(const kernels::Activations& rows, const RowTemperature* per_row, int rounds, int64_t iterations,
                int64_t count, const RowFields& fields, RowStates& states) {
  for (int round = 0; round <= rounds; ++round) {
    states.moving.fill(0);
    std::fill_n(states.moving.data(), count, 1.0);
    update(rows, round == rounds ? iterations : std::min(iterations, iterations_per_round));
    activation_kernels().activation_terms(rows, states.likelihoods.data(), states.entropies.data());
    for (size_t n = 0; per_row && n < static_cast<size_t>(count); ++n) {
      states.inverse[n] = per_row->expected_inverse(fields.constants[n] + states.likelihoods[n], 1.0);
    }
  }
}

void take_row(const RowStates& from, size_t n, RowStates& to) {
  for (size_t element = n; element < to.activations.size(); element += kernels::activation_rows) {
    to.activations[element] = from.activations[element];
  }
  to.inverse[n] = from.inverse[n];
  to.likelihoods[n] = from.likelihoods[n];
  to.entropies[n] = from.entropies[n];
}

/// The inverse temperature from which rows are annealed. Up to it the activations have one optimum: the slope of an
/// update, at most s sum_j |gram_kj| / 4, is below 1. Hotter starts would take too many steps.
double hottest_inverse(const Array<double>& gram, size_t size) {
  const auto padded = static_cast<size_t>(kernels::padded(static_cast<int64_t>(size)));
  double largest = 0;
  for (size_t k = 0; k < size; ++k) {
    double sum = 0;
    for (size_t j = 0; j < size; ++j) sum += std::abs(gram[k * padded + j]);
    largest = std::max(largest, sum);
  }
  constexpr double smallest = 1.0 / 1024;
  return std::max(4 / std::max(largest, 4.0), smallest);
}

/// A row can have several optima. One without a previous posterior takes the better of that reached from the common
/// start, in `states`, and that reached while T falls to 1, from the same start in `annealed`.
void anneal_rows(const kernels::Activations& rows, double hottest, int64_t iterations, int64_t count,
                 const RowFields& fields, RowStates& annealed, RowStates& states) {
  if (hottest >= 1) return;
  for (double inverse = hottest; inverse < 1; inverse *= 2) {
    annealed.inverse.fill(inverse);
    solve_rows(rows, nullptr, 0, iterations, count, fields, annealed);
  }
  annealed.inverse.fill(1);
  solve_rows(rows, nullptr, 0, iterations, count, fields, annealed);
  for (size_t n = 0; n < static_cast<size_t>(count); ++n) {
    if (row_bound(fields, annealed, nullptr, n) > row_bound(fields, states, nullptr, n))
      take_row(annealed, n, states);
  }
}

int rounds_of(const LocalTemperature& temperature) {
  return temperature.per_row ? temperature.per_row->rounds : 0;
}

/// Throws an error that names the first missing value of row n of the block.
[[noreturn]] void refuse_missing(const Batch& block, int64_t n) {
  const int64_t row = block.row(n);
  Spare spare;
  const DenseRow values = block.data->dense().row(row, spare);
  int64_t column = 0;
  while (column + 1 < block.data->columns() && !std::isnan(values[column])) ++column;
  throw Error(VTEMPER_ERROR_DATA, message("row ", row, ", column ", column,
                                          " is missing; factorial_mixture is fitted to complete rows only (infer "
                                          "and evaluate accept rows with missing values)"));
}

}  // namespace

void FactorialMixture::solve_block(const FactorialComponents& components, const Batch& block, const Plan& plan,
                                   FactorialWork& work, FactorialScratch& scratch) {
  const int64_t size = components.size();
  project_block(components, block, work, scratch);
  const double constant = work.constant + static_cast<double>(components.columns()) * work.constant_of_column;
  bool incomplete = false;
  for (int64_t n = 0; n < block.count; ++n) {
    const size_t i = static_cast<size_t>(n);
    scratch.weights[i] = block.data->weight(block.row(n));
    scratch.fields.constants[i] = constant - components.precision() * scratch.squares[i] / 2;
    if (!std::isnan(scratch.squares[i])) continue;
    if (!plan.visit_missing) refuse_missing(block, n);
    incomplete = true;
    for (int64_t k = 0; k < size; ++k) scratch.fields.projections[static_cast<size_t>(k * block_rows + n)] = 0;
  }
  start_block(block, plan, work, scratch.states);
  solve_rows(rows_of(scratch.fields, work.gram, work.offsets, plan.tolerance, scratch.states),
             plan.temperature.per_row, rounds_of(plan.temperature), plan.iterations, block.count, scratch.fields,
             scratch.states);
  if (plan.anneals) {
    start_block(block, plan, work, scratch.earlier);
    anneal_rows(rows_of(scratch.fields, work.gram, work.offsets, plan.tolerance, scratch.earlier),
                hottest_inverse(work.gram, work.start.size()), plan.iterations, block.count, scratch.fields,
                scratch.earlier, scratch.states);
  }
  for (int64_t n = 0; incomplete && n < block.count; ++n) {
    if (std::isnan(scratch.squares[static_cast<size_t>(n)])) {
      solve_incomplete(components, block, n, plan, work, scratch);
    }
  }
  // Random starts are meant to leave the optima that would be remembered.
  const bool perturbed = plan.settings.perturbation.share > 0;
  if (plan.settings.remember && !perturbed) keep_better(block, plan, work, scratch);
  if (perturbed && plan.settings.perturbation.local) {
    perturb_block(block, plan, work, scratch);
  }
  if (work.kept.empty()) return;
  for (int64_t n = 0; n < block.count; ++n) {
    double* out = work.kept.data() + (block.row(n) - work.keep_from) * size;
    for (int64_t k = 0; k < size; ++k) out[k] = scratch.states.activations[static_cast<size_t>(k * block_rows + n)];
  }
}

/// Initial activations and temperatures of rows.
void FactorialMixture::start_block(const Batch& block, const Plan& plan, const FactorialWork& work,
                                   RowStates& states) {
  const int64_t size = static_cast<int64_t>(work.start.size());
  const RowTemperature* per_row = plan.temperature.per_row;
  states.inverse.fill(per_row ? per_row->start : plan.temperature.inverse);
  for (int64_t k = 0; k < size; ++k) {
    std::fill_n(states.activations.data() + k * block_rows, block_rows, work.start[static_cast<size_t>(k)]);
  }
  if (!plan.random_activations) return;
  for (int64_t n = 0; n < block.count; ++n) {
    RandomStream random(*plan.random_activations, Purpose::initialize, 1, block.number(n));
    for (int64_t k = 0; k < size; ++k) {
      double& nu = states.activations[static_cast<size_t>(k * block_rows + n)];
      nu = std::min(2 * nu, 1.0) * random.uniform();
    }
  }
}

/// A row can have several optima, and the one reached from the common start may be worse than the one reached from
/// its previous posterior, which would let the objective decrease. Each row takes the better of the two and remembers
/// it. With per-row temperatures a row always continues from its previous posterior: a fresh start would end cold
/// while components are still poor.
void FactorialMixture::keep_better(const Batch& block, const Plan& plan, FactorialWork& work,
                                   FactorialScratch& scratch) {
  const int64_t size = static_cast<int64_t>(work.start.size());
  const RowTemperature* per_row = plan.temperature.per_row;
  RowStates& states = scratch.states;
  RowStates& earlier = scratch.earlier;
  start_block(block, plan, work, earlier);
  for (int64_t n = 0; n < block.count; ++n) {
    const double* remembered = work.remembered.last() + block.row(n) * size;
    if (!(remembered[0] > 0)) continue;
    for (int64_t k = 0; k < size; ++k) earlier.activations[static_cast<size_t>(k * block_rows + n)] = remembered[k];
    if (!per_row) continue;
    const double inverse = work.remembered_inverse.last()[block.row(n)];
    if (inverse > 0) earlier.inverse[static_cast<size_t>(n)] = std::max(inverse, per_row->floor);
  }
  solve_rows(rows_of(scratch.fields, work.gram, work.offsets, plan.tolerance, earlier), per_row, 0,
             per_row ? std::min(plan.iterations, iterations_per_step) : plan.iterations, block.count, scratch.fields,
             earlier);
  for (int64_t n = 0; n < block.count; ++n) {
    const size_t i = static_cast<size_t>(n);
    const bool met_before = work.remembered.last()[block.row(n) * size] > 0;
    const bool better = met_before && (per_row || row_bound(scratch.fields, earlier, per_row, i) >=
                                                      row_bound(scratch.fields, states, per_row, i));
    if (better) take_row(earlier, i, states);
    double* met = work.remembered.next() + block.row(n) * size;
    for (int64_t k = 0; k < size; ++k) met[k] = states.activations[static_cast<size_t>(k * block_rows + n)];
    if (per_row) work.remembered_inverse.next()[block.row(n)] = states.inverse[i];
  }
}

/// nu <- (1 - r) nu + r u with u ~ U(0, 1).
void FactorialMixture::perturb_block(const Batch& block, const Plan& plan, const FactorialWork& work,
                                     FactorialScratch& scratch) {
  const Perturbation& perturbation = plan.settings.perturbation;
  const int64_t size = static_cast<int64_t>(work.start.size());
  RowStates& states = scratch.states;
  for (int64_t n = 0; n < block.count; ++n) {
    RandomStream random(perturbation.seed, Purpose::perturb, perturbation.iteration,
                        static_cast<uint64_t>(2 * size) + block.number(n));
    for (int64_t k = 0; k < size; ++k) {
      double& nu = states.activations[static_cast<size_t>(k * block_rows + n)];
      nu = (1 - perturbation.share) * nu + perturbation.share * random.uniform();
    }
  }
  activation_kernels().activation_terms(rows_of(scratch.fields, work.gram, work.offsets, plan.tolerance, states),
                                        states.likelihoods.data(), states.entropies.data());
}

/// E tau m_k . x_n and |x_n|^2; both NaN if the row has missing values.
void FactorialMixture::project_block(const FactorialComponents& components, const Batch& block,
                                     const FactorialWork& work, FactorialScratch& scratch) {
  const int64_t size = components.size();
  const int64_t columns = components.columns();
  const int64_t padded = kernels::padded(size);
  scratch.projections_by_row.fill(0);
  scratch.squares.fill(0);
  for (int64_t first = 0; first < columns; first += columns_at_once) {
    const int64_t count = std::min(columns_at_once, columns - first);
    const RowValues rows = row_values(block, first, count, scratch.values);
    kernels::table<double>().add_product({rows.values, rows.row_stride, 1, work.means.data() + first * padded, padded,
                                          scratch.projections_by_row.data(), padded, block.count, count, size});
    for (int64_t n = 0; n < block.count; ++n) {
      const double* row = rows.values + n * rows.row_stride;
      scratch.squares[static_cast<size_t>(n)] += kernels::table<double>().dot(row, row, count);
    }
  }
  for (int64_t k = 0; k < size; ++k) {
    double* out = scratch.fields.projections.data() + k * block_rows;
    for (int64_t n = 0; n < block_rows; ++n) out[n] = scratch.projections_by_row[static_cast<size_t>(n * padded + k)];
  }
}

/// As above for a row with missing values, with the means restricted to the observed columns.
void FactorialMixture::solve_incomplete(const FactorialComponents& components, const Batch& block, int64_t i,
                                        const Plan& plan, const FactorialWork& work, FactorialScratch& scratch) {
  const int64_t size = components.size();
  const int64_t padded = kernels::padded(size);
  const Dense& dense = block.data->dense();
  const int64_t row = block.row(i);
  RowFields& fields = scratch.lone_fields;
  RowStates& lone = scratch.lone;
  scratch.gram.fill(0);
  double* projections = scratch.projections_by_row.data();
  std::fill_n(projections, padded, 0.0);
  double squares = 0;
  int64_t seen = 0;
  Spare spare;
  const DenseRow values = dense.row(row, spare);
  for (int64_t column = 0; column < dense.columns;) {
    int64_t count = 0;
    for (; column < dense.columns && count < columns_at_once; ++column) {
      const double value = values[column];
      if (std::isnan(value)) continue;
      scratch.values[static_cast<size_t>(count)] = value;
      std::copy_n(work.means.data() + column * padded, padded, scratch.means.data() + count * padded);
      squares += value * value;
      ++count;
    }
    kernels::table<double>().add_product(
        {scratch.values.data(), 0, 1, scratch.means.data(), padded, projections, padded, 1, count, size});
    kernels::table<double>().add_product({scratch.means.data(), 1, padded, scratch.means.data(), padded,
                                          scratch.gram.data(), padded, size, count, size});
    seen += count;
  }
  for (int64_t k = 0; k < size; ++k) {
    for (int64_t j = 0; j < size; ++j) scratch.gram[static_cast<size_t>(k * padded + j)] /= components.precision();
    double& square = scratch.gram[static_cast<size_t>(k * padded + k)];
    const double variance = components.precision() * static_cast<double>(seen) * components.variance(k);
    scratch.offsets[static_cast<size_t>(k)] = components.log_on(k) - components.log_off(k) - (square + variance) / 2;
    square = 0;
    fields.projections[static_cast<size_t>(k * block_rows)] = projections[k];
    for (RowStates* const start : {&lone, &scratch.earlier}) {
      start->activations[static_cast<size_t>(k * block_rows)] = work.start[static_cast<size_t>(k)];
    }
  }
  lone.inverse[0] = plan.temperature.per_row ? plan.temperature.per_row->start : plan.temperature.inverse;
  fields.constants[0] =
      work.constant + static_cast<double>(seen) * work.constant_of_column - components.precision() * squares / 2;
  solve_rows(rows_of(fields, scratch.gram, scratch.offsets, plan.tolerance, lone), plan.temperature.per_row,
             rounds_of(plan.temperature), plan.iterations, 1, fields, lone);
  if (plan.anneals) {
    anneal_rows(rows_of(fields, scratch.gram, scratch.offsets, plan.tolerance, scratch.earlier),
                hottest_inverse(scratch.gram, static_cast<size_t>(size)), plan.iterations, 1, fields, scratch.earlier,
                lone);
  }
  RowStates& states = scratch.states;
  for (int64_t k = 0; k < size; ++k) {
    states.activations[static_cast<size_t>(k * block_rows + i)] =
        lone.activations[static_cast<size_t>(k * block_rows)];
  }
  const size_t place = static_cast<size_t>(i);
  states.inverse[place] = lone.inverse[0];
  states.likelihoods[place] = lone.likelihoods[0];
  states.entropies[place] = lone.entropies[0];
  scratch.fields.constants[place] = fields.constants[0];
}

}  // namespace vtemper
