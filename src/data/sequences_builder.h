#pragma once
// Builds sequences row by row, for readers and edits.

#include "data/buffer.h"
#include "data/data.h"

namespace vtemper {

class SequencesBuilder {
 public:
  SequencesBuilder() { offsets_.push(0); }

  /// Appends a symbol to the current row; the caller has validated it.
  void add(int32_t symbol) { symbols_.push(symbol); }
  void end_row() { offsets_.push(symbols_.size()); }
  int64_t rows() const { return offsets_.size() - 1; }

  /// The completed rows; the builder is empty afterwards.
  Sequences finish(int64_t columns);

 private:
  Buffer<int64_t> offsets_;
  Buffer<int32_t> symbols_;
};

}  // namespace vtemper
