#pragma once
// Sequences put together row by row: what the reader and edits write to.

#include "data/buffer.h"
#include "data/data.h"

namespace vtemper {

class SequencesBuilder {
 public:
  SequencesBuilder() { offsets_.push(0); }

  /// Adds a symbol to the open row. The caller has checked it.
  void add(int32_t symbol) { symbols_.push(symbol); }
  void end_row() { offsets_.push(symbols_.size()); }
  int64_t rows() const { return offsets_.size() - 1; }

  /// The closed rows; the builder is empty afterwards.
  Sequences finish(int64_t columns);

 private:
  Buffer<int64_t> offsets_;
  Buffer<int32_t> symbols_;
};

}  // namespace vtemper
