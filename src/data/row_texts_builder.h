#pragma once
// Builds the texts of rows row by row, for readers.

#include <string>
#include <string_view>

#include "data/growing_array.h"
#include "data/row_texts.h"

namespace vtemper {

class ContainerWriter;

class RowTextsBuilder {
 public:
  /// `scratch`: texts are written to scratch files. `source` begins the error messages.
  RowTextsBuilder(std::string field, std::string source, const ScratchFolder* scratch = nullptr)
      : bytes_(scratch), offsets_(scratch), field_(std::move(field)), source_(std::move(source)) {
    offsets_.push(0);
  }

  /// Appends the text of the next row. Error(DATA) if it is not valid UTF-8 or has a zero byte.
  void add(std::string_view text);
  const std::string& field() const { return field_; }

  /// The texts, of a builder without scratch files.
  RowTexts finish();
  /// Adds the arrays to the container; the builder keeps them until that is written.
  void store(ContainerWriter& writer);

 private:
  GrowingArray<char> bytes_;
  GrowingArray<int64_t> offsets_;
  std::string field_, source_;
};

}  // namespace vtemper
