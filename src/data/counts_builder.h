#pragma once
// Builds counts row by row, for readers and edits. Values are INT32 as long as all of them fit, then DOUBLE.

#include <vector>

#include "data/data.h"
#include "data/growing_array.h"

namespace vtemper {

class ContainerWriter;

class CountsBuilder {
 public:
  /// `scratch`: closed rows are written to scratch files.
  explicit CountsBuilder(const ScratchFolder* scratch = nullptr)
      : offsets_(scratch), indices_(scratch), integers_(scratch), reals_(scratch) {
    offsets_.push(0);
    begin_row();
  }

  /// Appends an entry to the current row; the caller has validated it.
  void add(int32_t column, double value) {
    indices_.push(column);
    if (whole_ && value <= INT32_MAX && value == static_cast<double>(static_cast<int32_t>(value))) {
      integers_.push(static_cast<int32_t>(value));
    } else {
      push_real(value);
    }
  }
  void end_row() {
    offsets_.push(indices_.size());
    begin_row();
  }

  int64_t rows() const { return offsets_.size() - 1; }
  int64_t entries() const { return indices_.size(); }
  bool whole() const { return whole_; }

  /// The open row.
  int64_t row_begin() const { return offsets_[rows()]; }
  int32_t column(int64_t entry) const { return indices_[entry]; }
  /// The smallest duplicate column of the open row, or -1.
  int32_t repeated_column();

  /// Moves all rows to memory, so that closed rows can be accessed.
  void bring_to_memory();
  int64_t row_begin(int64_t row) const { return offsets_[row]; }
  double value(int64_t entry) const { return whole_ ? static_cast<double>(integers_[entry]) : reals_[entry]; }

  /// Subtracts `first` from every column, after all rows are closed.
  void shift_columns(int32_t first);

  /// The counts of the closed rows, of a builder without scratch files; the builder is empty afterwards.
  Counts finish(int64_t columns);
  /// Adds the arrays of the closed rows to the container; the builder keeps them until that is written.
  void store(ContainerWriter& writer);

 private:
  void push_real(double value);
  void begin_row() {
    offsets_.look_back_to(offsets_.size() - 1);
    indices_.look_back_to(indices_.size());
  }

  GrowingArray<int64_t> offsets_;
  GrowingArray<int32_t> indices_;
  GrowingArray<int32_t> integers_;
  GrowingArray<double> reals_;
  bool whole_ = true;  ///< all values so far are in integers_; otherwise they are in reals_
  std::vector<int32_t> work_;
};

}  // namespace vtemper
