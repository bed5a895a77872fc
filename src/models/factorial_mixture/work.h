#pragma once
// Work space of a local step of the factorial mixture.

#include <memory>
#include <vector>

#include "kernels/table.h"
#include "models/factorial_mixture/components.h"
#include "models/row_memory.h"

namespace vtemper {

/// Columns of a block of rows that are processed together, so that they stay in the cache.
constexpr int64_t columns_at_once = 256;

/// What a block of rows says about its activations. Arrays of rows are [activation_rows].
struct RowFields {
  Array<double> projections;  ///< [K x activation_rows] E tau m_k . x_n
  Array<double> constants;    ///< what L_n has beyond RowStates::likelihoods

  void shape(int64_t components) {
    projections.resize(static_cast<size_t>(components * kernels::activation_rows));
    constants.resize(kernels::activation_rows);
  }
};

/// Posteriors of a block of rows, at their temperatures.
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

/// What row n adds to the bound: s L + H; where the row's temperature is learned sum_m r_m (s_m L - c_m) + H(r),
/// maximised over r, stands for s L.
inline double row_bound(const RowFields& fields, const RowStates& states, const RowTemperature* per_row, size_t n) {
  const double likelihood = fields.constants[n] + states.likelihoods[n];
  const double tempered = per_row ? per_row->log_evidence(likelihood, 1.0) : states.inverse[n] * likelihood;
  return tempered + states.entropies[n];
}

/// What one thread needs for a block of rows.
struct FactorialScratch {
  RowFields fields;
  RowStates states;
  RowStates earlier;                 ///< from where the rows were in the last step
  Array<double> values;              ///< [activation_rows x columns_at_once] rows that are not doubles side by side
  Array<double> projections_by_row;  ///< [activation_rows x padded K]
  Array<double> activations_by_row;  ///< likewise
  Array<double> weighted;            ///< [K x activation_rows] w_n nu_nk
  Array<double> weights;             ///< [activation_rows] of the rows
  Array<double> squares;             ///< [activation_rows] |x_n|^2

  // A row with missing values, alone in a block, and what it sees of the means.
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
  // What a local step needs of the components.
  Array<double> means;            ///< [D x padded K] E tau m_k
  Array<double> gram;             ///< [K x padded K] E tau m_k . m_j, its diagonal 0
  Array<double> offsets;          ///< [K] a_k
  Array<double> start;            ///< [K] activations that a row starts from
  double constant = 0;            ///< of a row's expected log likelihood, sum_k E log (1 - pi_k)
  double constant_of_column = 0;  ///< what every column adds to it, (E log tau - log 2 pi) / 2

  // Rows go in segments, each with its own sums and statistics: fixed, so that bits do not depend on the threads.
  Array<double> segments;  ///< [segments x statistics]
  Array<LocalSums> sums;   ///< [segments]
  ComponentStatistics statistics;

  std::vector<FactorialScratch> scratch;  ///< one a thread

  // A global step that is prepared and not yet taken.
  std::unique_ptr<FactorialComponents> next;
  GlobalChange change;

  // Of all rows of the data, from step to step.
  RowMemory<double> remembered;          ///< [rows x K] nu; 0 before the first step
  RowMemory<double> remembered_inverse;  ///< [rows] s_n of local tempering; 0 before the first step with it

  // Of the rows of one call, where their posteriors are the result.
  Array<double> kept;     ///< [rows x K] nu; empty: not asked for
  int64_t keep_from = 0;  ///< data row of the first

  void save(ContainerWriter& writer) const;
  void load(const ContainerReader& reader);
};

}  // namespace vtemper
