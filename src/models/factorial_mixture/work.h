#pragma once
// Workspace of a local step of the factorial mixture.

#include <memory>
#include <vector>

#include "models/factorial_mixture/components.h"
#include "models/factorial_mixture/kernels.h"
#include "models/row_memory.h"

namespace vtemper {

/// Rows of a block.
constexpr int64_t block_rows = kernels::activation_rows;
/// Columns of a block of rows processed together, so that they stay in cache.
constexpr int64_t columns_at_once = 256;

/// Fields of a block of rows: the inputs of its activation updates. Arrays over rows are [activation_rows].
struct RowFields {
  Array<double> projections;  ///< [K x activation_rows] E tau m_k . x_n
  Array<double> constants;    ///< terms of L_n that are not in RowStates::likelihoods

  void shape(int64_t components) {
    projections.resize(static_cast<size_t>(components * kernels::activation_rows));
    constants.resize(kernels::activation_rows);
  }
};

/// Posteriors of a block of rows at their temperatures.
struct RowStates {
  Array<double> activations;  ///< [K x activation_rows] nu
  Array<double> inverse;      ///< s_n
  Array<double> moving;
  Array<double> likelihoods, entropies;

  void shape(int64_t components) {
    activations.resize(static_cast<size_t>(components * kernels::activation_rows));
    for (Array<double>* array : {&inverse, &moving, &likelihoods, &entropies}) {
      array->resize(kernels::activation_rows);
    }
  }
};

/// Contribution of row n to the bound: s L + H; if the row's temperature is learned, s L is replaced by sum_m r_m
/// (s_m L - c_m) + H(r), maximised over r.
inline double row_bound(const RowFields& fields, const RowStates& states, const RowTemperature* per_row, size_t n) {
  const double likelihood = fields.constants[n] + states.likelihoods[n];
  const double tempered = per_row ? per_row->log_evidence(likelihood, 1.0) : states.inverse[n] * likelihood;
  return tempered + states.entropies[n];
}

/// Workspace of one thread for a block of rows.
struct FactorialScratch {
  RowFields fields;
  RowStates states;
  RowStates earlier;                 ///< started from the posteriors of the last step, or annealed
  Array<double> values;              ///< [activation_rows x columns_at_once] copies of rows that are not contiguous
                                     ///< doubles
  Array<double> projections_by_row;  ///< [activation_rows x padded K]
  Array<double> activations_by_row;  ///< likewise
  Array<double> weighted;            ///< [K x activation_rows] w_n nu_nk
  Array<double> weights;             ///< [activation_rows] of the rows
  Array<double> squares;             ///< [activation_rows] |x_n|^2

  // A row with missing values, alone in a block, and the terms of the means restricted to its columns.
  RowFields lone_fields;
  RowStates lone;
  Array<double> means;    ///< [columns_at_once x padded K] E tau m_k
  Array<double> gram;     ///< [K x padded K]
  Array<double> offsets;  ///< [K]

  void shape(int64_t components) {
    const size_t rows = kernels::activation_rows;
    const size_t padded = static_cast<size_t>(kernels::padded(components));
    fields.shape(components);
    states.shape(components);
    earlier.shape(components);
    values.resize(rows * columns_at_once);
    for (Array<double>* array : {&projections_by_row, &activations_by_row}) array->resize(rows * padded);
    weighted.resize(rows * static_cast<size_t>(components));
    for (Array<double>* array : {&weights, &squares}) array->resize(rows);
  }

  void shape_lone(int64_t components) {
    const size_t padded = static_cast<size_t>(kernels::padded(components));
    lone_fields.shape(components);
    lone.shape(components);
    means.resize(columns_at_once * padded);
    gram.resize(static_cast<size_t>(components) * padded);
    offsets.resize(static_cast<size_t>(components));
  }
};

struct FactorialWork : LocalWork {
  // Terms of the components for a local step.
  Array<double> means;            ///< [D x padded K] E tau m_k
  Array<double> gram;             ///< [K x padded K] E tau m_k . m_j, with zero diagonal
  Array<double> offsets;          ///< [K] a_k
  Array<double> start;            ///< [K] initial activations of a row
  double constant = 0;            ///< in a row's expected log likelihood: sum_k E log (1 - pi_k)
  double constant_of_column = 0;  ///< contribution of each column to it, (E log tau - log 2 pi) / 2

  // Rows are divided into fixed segments with separate sums and statistics, so that bits do not depend on the number
  // of threads.
  Array<double> segments;  ///< [segments x statistics]
  Array<LocalSums> sums;   ///< [segments]
  ComponentStatistics statistics;

  std::vector<FactorialScratch> scratch;  ///< one per thread

  // The result of prepare_step, until the global step is taken.
  std::unique_ptr<FactorialComponents> next;
  GlobalChange change;

  // For all rows of the data, kept between steps.
  RowMemory<double> remembered;          ///< [rows x K] nu; 0 before the first step
  RowMemory<double> remembered_inverse;  ///< [rows] s_n of local tempering; 0 before the first step with it

  // For the rows of one call, if their posteriors are its result.
  Array<double> kept;     ///< [rows x K] nu; empty if not requested
  int64_t keep_from = 0;  ///< data row of the first element

  void save(ContainerWriter& writer) const;
  void load(const ContainerReader& reader);
  void forget_rows() noexcept { remembered.forget(); }
  /// Each keeps its own temperatures.
  void swap_rows(FactorialWork& other) noexcept { std::swap(remembered, other.remembered); }
};

}  // namespace vtemper
