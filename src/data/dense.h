#pragma once
// Dense rows of reals: one form of data.

#include <cstdint>
#include <memory>

#include "data/typed_array.h"

namespace vtemper {

/// The values of a row, valid as long as the Spare that they were read with is not used again.
class DenseRow {
 public:
  DenseRow(const TypedArray& values, int64_t stride) : values_(values), stride_(stride) {}
  double operator[](int64_t column) const { return values_.real(column * stride_); }

 private:
  TypedArray values_;
  int64_t stride_;
};

/// Dense rows with strides in elements, FLOAT or DOUBLE; NaN = missing.
class Dense {
 public:
  static constexpr vtemper_data_form form = VTEMPER_DENSE;
  static constexpr const char* name = "dense rows";  ///< in messages
  static constexpr const char* made_by = "vtemper_data_from_dense";

  int64_t rows = 0;
  int64_t columns = 0;
  TypedArray values;
  int64_t row_stride = 0;
  int64_t column_stride = 0;
  std::shared_ptr<const void> owner;

  /// Number of values, including missing ones.
  int64_t elements() const { return rows * columns; }

  /// The values of a row, column_stride apart: there, or in `spare`, until its next use. `all`: the address of all
  /// values, as with_numbers passes it.
  template <class T>
  const T* typed_row(const T* all, int64_t row, Spare& spare) const {
    return values.at(all + row * row_stride, columns, spare);
  }
  DenseRow row(int64_t row, Spare& spare) const {
    const void* first = nullptr;
    with_numbers(values, [&](const auto* all) { first = typed_row(all, row, spare); });
    return DenseRow({first, values.element}, column_stride);
  }
  /// One value; loops over the values of a row read the row.
  double at(int64_t row, int64_t column) const { return values.real(row * row_stride + column * column_stride); }
};

}  // namespace vtemper
