#pragma once
// Dense rows of reals: one form of data.

#include <cstdint>
#include <memory>

#include "data/typed_array.h"

namespace vtemper {

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

  double at(int64_t row, int64_t column) const { return values.real(row * row_stride + column * column_stride); }
};

}  // namespace vtemper
