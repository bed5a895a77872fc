#pragma once
// Builds counts row by row, for readers and edits. Values are INT32 as long as all of them fit, then DOUBLE.

#include "data/buffer.h"
#include "data/data.h"

namespace vtemper {

class CountsBuilder {
 public:
  CountsBuilder() { offsets_.push(0); }

  /// Appends an entry to the current row; the caller has validated it.
  void add(int32_t column, double value) {
    indices_.push(column);
    if (whole_ && value <= INT32_MAX && value == static_cast<double>(static_cast<int32_t>(value))) {
      integers_.push(static_cast<int32_t>(value));
    } else {
      push_real(value);
    }
  }
  void end_row() { offsets_.push(indices_.size()); }

  int64_t rows() const { return offsets_.size() - 1; }
  int64_t entries() const { return indices_.size(); }
  int64_t row_begin(int64_t row) const { return offsets_[row]; }
  int32_t column(int64_t entry) const { return indices_[entry]; }
  double value(int64_t entry) const { return whole_ ? static_cast<double>(integers_[entry]) : reals_[entry]; }
  bool whole() const { return whole_; }

  /// The smallest column that occurs twice in a row, or -1; rows() is the current row.
  int32_t repeated_column(int64_t row);

  /// Subtracts `first` from every column.
  void shift_columns(int32_t first);

  /// The counts of the completed rows; the builder is empty afterwards.
  Counts finish(int64_t columns);

 private:
  void push_real(double value);

  Buffer<int64_t> offsets_;
  Buffer<int32_t> indices_;
  Buffer<int32_t> integers_;
  Buffer<double> reals_;
  bool whole_ = true;  ///< all values so far are in integers_; otherwise they are in reals_
  std::vector<int32_t> work_;
};

}  // namespace vtemper
