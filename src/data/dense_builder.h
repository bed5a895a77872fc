#pragma once
// Builds dense rows value by value, for readers.

#include <cmath>
#include <memory>
#include <string>

#include "data/dense.h"
#include "data/growing_array.h"

namespace vtemper {

template <class Real>
class DenseBuilder {
 public:
  /// `scratch`: values are written to a scratch file. `source` begins the error messages.
  DenseBuilder(int64_t columns, std::string source, const ScratchFolder* scratch = nullptr)
      : values_(scratch), columns_(columns), source_(std::move(source)) {}

  /// Appends a value, in row-major order; NaN: missing. Error(DATA) if it is infinite.
  void push(Real value) {
    if (std::isinf(value)) refuse(value);
    values_.push(value);
  }

  /// The values, of a builder without scratch files; the builder is empty afterwards.
  Dense finish(int64_t rows) {
    const auto values = std::make_shared<const Buffer<Real>>(values_.take());
    Dense dense;
    dense.rows = rows;
    dense.columns = columns_;
    dense.values = typed_array(values->data());
    dense.row_stride = columns_;
    dense.column_stride = 1;
    dense.owner = values;
    return dense;
  }

  /// The values for the writer; the builder keeps them until the file is written.
  Piece bytes() { return values_.bytes(); }

 private:
  [[noreturn]] void refuse(Real value) const {
    throw Error(VTEMPER_ERROR_DATA,
                message(source_, ": row ", values_.size() / columns_, ", column ", values_.size() % columns_, " is ",
                        value, "; values must be finite, or NaN where they are missing"));
  }

  GrowingArray<Real> values_;
  int64_t columns_;
  std::string source_;
};

}  // namespace vtemper
