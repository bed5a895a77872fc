#pragma once
// A set of rows of a table, with one bit per row.

#include "models/conjugate_model.h"

namespace vtemper {

class RowMarks {
 public:
  void resize(int64_t rows) {
    rows_ = rows;
    bits_.resize(static_cast<size_t>((rows + 7) / 8));
  }
  void clear() { bits_.fill(0); }
  /// The bits of rows 8 i .. 8 i + 7 in byte i, lowest first.
  unsigned char* data() { return bits_.data(); }
  int64_t bytes() const { return static_cast<int64_t>(bits_.size()); }

  void add(int64_t row) { bits_[byte(row)] = static_cast<unsigned char>(bits_[byte(row)] | 1 << row % 8); }
  void add(const RowMarks& other) {
    for (size_t i = 0; i < bits_.size(); ++i) bits_[i] = static_cast<unsigned char>(bits_[i] | other.bits_[i]);
  }
  bool has(int64_t row) const { return (bits_[byte(row)] >> row % 8 & 1) != 0; }

  /// Writes the marked rows among first, first + stride, ... in ascending order; returns their number.
  int64_t list(int32_t* out, int64_t first = 0, int64_t stride = 1) const {
    int64_t count = 0;
    for (int64_t row = first; row < rows_; row += stride) {
      if (has(row)) out[count++] = static_cast<int32_t>(row);
    }
    return count;
  }

 private:
  static size_t byte(int64_t row) { return static_cast<size_t>(row / 8); }

  int64_t rows_ = 0;
  Array<unsigned char> bits_;
};

}  // namespace vtemper
