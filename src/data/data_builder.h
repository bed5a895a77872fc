#pragma once
// Collects the rows of a reader. The result is data in memory or, if rows were written to scratch files, a mapped
// file.

#include <optional>
#include <variant>

#include "data/counts_builder.h"
#include "data/dense_builder.h"
#include "data/row_texts_builder.h"
#include "data/sequences_builder.h"

namespace vtemper {

class DataBuilder {
 public:
  /// `scratch`: closed rows are written to scratch files; then only write() can follow, not finish().
  explicit DataBuilder(const ScratchFolder* scratch = nullptr) : scratch_(scratch) {}

  // A reader calls one of these, once.
  CountsBuilder& counts() { return rows_.emplace<CountsBuilder>(scratch_); }
  SequencesBuilder& sequences() { return rows_.emplace<SequencesBuilder>(scratch_); }
  /// `source` begins the error messages about values.
  template <class Real>
  DenseBuilder<Real>& dense(int64_t columns, const std::string& source) {
    return rows_.emplace<DenseBuilder<Real>>(columns, source, scratch_);
  }
  /// For the names of all rows, in their order. `source` begins the error messages.
  RowTextsBuilder& row_names(const std::string& source) { return row_names_.emplace("name", source, scratch_); }
  /// For rows that had to be in memory at once.
  void take(DataPointer data) { rows_ = std::move(data); }

  /// Sets the size, after the last row; not after take().
  void end(int64_t rows, int64_t columns) {
    row_count_ = rows;
    columns_ = columns;
  }
  void set_note(std::string name, std::string text) { notes_[std::move(name)] = std::move(text); }
  /// The file's column names. Error(DATA) for invalid names; the message begins with the source.
  void set_names(Names names, const std::string& source);

  DataPointer finish();
  /// Writes the mapped file. `names`, unless empty, replace the file's own names; additional names of counts or
  /// sequences are columns without entries. Error(ARGUMENT) for too few names, or too many for dense rows; the
  /// message names `source`.
  void write(Names names, const std::string& source, const std::string& path);

 private:
  const ScratchFolder* scratch_;
  std::variant<DataPointer, CountsBuilder, SequencesBuilder, DenseBuilder<float>, DenseBuilder<double>> rows_;
  int64_t row_count_ = 0, columns_ = 0;
  Names names_;
  std::optional<RowTextsBuilder> row_names_;
  Notes notes_;
};

}  // namespace vtemper
