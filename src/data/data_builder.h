#pragma once
// What a reader puts its rows in, one after the other. In the end they are data in memory or, where they went to the
// disk on the way, a mapped file.

#include <variant>

#include "data/counts_builder.h"
#include "data/dense_builder.h"
#include "data/sequences_builder.h"

namespace vtemper {

class DataBuilder {
 public:
  /// `scratch`: closed rows go to the disk, and only write() can end it.
  explicit DataBuilder(const ScratchFolder* scratch = nullptr) : scratch_(scratch) {}

  // A reader chooses one of these, once.
  CountsBuilder& counts() { return rows_.emplace<CountsBuilder>(scratch_); }
  SequencesBuilder& sequences() { return rows_.emplace<SequencesBuilder>(scratch_); }
  /// `source` begins the refusals of values.
  template <class Real>
  DenseBuilder<Real>& dense(int64_t columns, const std::string& source) {
    return rows_.emplace<DenseBuilder<Real>>(columns, source, scratch_);
  }
  /// For rows that had to be in memory together.
  void take(DataPointer data) { rows_ = std::move(data); }

  /// Of rows that were not taken, once all of them are there.
  void end(int64_t rows, int64_t columns) {
    row_count_ = rows;
    columns_ = columns;
  }
  /// Names that the file gives its columns. Error(DATA), which begins with the source.
  void set_names(Names names, const std::string& source);

  DataPointer finish();
  /// Writes the mapped file. `names` that are not empty take the place of the file's own; those beyond the last
  /// column of counts or sequences are columns without entries. Error(ARGUMENT) where they are too few, or for dense
  /// rows too many; `source` is named.
  void write(Names names, const std::string& source, const std::string& path);

 private:
  const ScratchFolder* scratch_;
  std::variant<DataPointer, CountsBuilder, SequencesBuilder, DenseBuilder<float>, DenseBuilder<double>> rows_;
  int64_t row_count_ = 0, columns_ = 0;
  Names names_;
};

}  // namespace vtemper
