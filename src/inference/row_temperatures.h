#pragma once
// Temperatures of rows (method local_tempering) for users: the inverse temperature of each row of the data in its
// last step. The temperatures of a step are adopted only when the step is completed.

#include <algorithm>
#include <vector>

#include "models/conjugate_model.h"

namespace vtemper {

class RowTemperatures {
 public:
  /// Allocates the temperatures of a data set with `rows` rows.
  void keep(int64_t rows) { inverse_.resize(static_cast<size_t>(rows)); }
  bool kept() const { return !inverse_.empty(); }
  /// E[1/T_d]; 0 for a row that no step has taken yet.
  double of_row(int64_t row) const { return kept() ? inverse_[static_cast<size_t>(row)] : 0; }

  /// The array to which the local half of a step on the batch writes s_d of its rows.
  double* of_step(const Batch& batch) {
    rows_.resize(static_cast<size_t>(batch.count));
    for (int64_t i = 0; i < batch.count; ++i) rows_[static_cast<size_t>(i)] = batch.row(i);
    of_step_.resize(rows_.size());
    return of_step_.data();
  }
  /// The current step has no temperatures of rows.
  void none_of_step() { rows_.clear(); }
  void take() noexcept {
    // A mean over the grid may be above 1 by rounding.
    for (size_t i = 0; i < rows_.size(); ++i) inverse_[static_cast<size_t>(rows_[i])] = std::min(of_step_[i], 1.0);
    rows_.clear();
  }

  void save(ContainerWriter& writer) const { writer.keep(tensor, inverse_); }
  /// False if the numbers are invalid for `rows` rows. Checkpoints of versions without these temperatures restore the
  /// state before the first step.
  bool restore(const ContainerReader& reader, int64_t rows);

 private:
  static constexpr const char* tensor = "optimizer.row_inverse_temperatures";
  std::vector<double> inverse_;  ///< [rows of the data]; empty: not stored
  std::vector<double> of_step_;
  std::vector<int64_t> rows_;  ///< [rows of the step]
};

}  // namespace vtemper
