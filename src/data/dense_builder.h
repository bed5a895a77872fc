#pragma once
// Dense rows put together value by value: what readers write to.

#include <cmath>
#include <memory>
#include <string>

#include "data/growing_array.h"
#include "data/typed_array.h"

namespace vtemper {

template <class Real>
class DenseBuilder {
 public:
  /// `scratch`: values go to the disk. `source` begins the refusals.
  DenseBuilder(int64_t columns, std::string source, const ScratchFolder* scratch = nullptr)
      : values_(scratch), columns_(columns), source_(std::move(source)) {}

  /// The next value, row by row; NaN: missing. Error(DATA) where it is infinite.
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

  /// The values to be written; the builder keeps them until then.
  Piece bytes() { return values_.bytes(); }

 private:
  [[noreturn]] void refuse(Real value) const {
    throw Error(VTEMPER_ERROR_DATA,
                sentence(source_, ": row ", values_.size() / columns_, ", column ", values_.size() % columns_, " is ",
                         value, "; values must be finite, or NaN where they are missing"));
  }

  GrowingArray<Real> values_;
  int64_t columns_;
  std::string source_;
};

}  // namespace vtemper
