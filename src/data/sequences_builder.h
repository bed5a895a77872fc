#pragma once
// Builds sequences row by row, for readers and edits.

#include "data/data.h"
#include "data/growing_array.h"

namespace vtemper {

class ContainerWriter;

class SequencesBuilder {
 public:
  /// `scratch`: symbols are written to scratch files.
  explicit SequencesBuilder(const ScratchFolder* scratch = nullptr) : offsets_(scratch), symbols_(scratch) {
    offsets_.push(0);
  }

  /// Appends a symbol to the current row; the caller has validated it.
  void add(int32_t symbol) { symbols_.push(symbol); }
  void end_row() { offsets_.push(symbols_.size()); }
  int64_t rows() const { return offsets_.size() - 1; }

  /// The closed rows, of a builder without scratch files; the builder is empty afterwards.
  Sequences finish(int64_t columns);
  /// Adds the arrays of the closed rows to the container; the builder keeps them until that is written.
  void store(ContainerWriter& writer);

 private:
  GrowingArray<int64_t> offsets_;
  GrowingArray<int32_t> symbols_;
};

}  // namespace vtemper
