#pragma once
// A range of columns of a block of rows as contiguous doubles: in place, or copied.

#include "models/model.h"
#include "support/array.h"

namespace vtemper {

struct RowValues {
  const double* values;
  int64_t row_stride;  ///< elements; columns are contiguous
};

/// Columns [first, first + columns) of the block; `buffer` is large enough for a copy.
inline RowValues row_values(const Batch& block, int64_t first, int64_t columns, Array<double>& buffer) {
  const Dense& dense = block.data->dense();
  const bool in_place = dense.values.element == VTEMPER_DOUBLE && dense.column_stride == 1 &&
                        block.index == nullptr && dense.values.contents == nullptr;
  if (in_place) {
    return {static_cast<const double*>(dense.values.data) + block.begin * dense.row_stride + first, dense.row_stride};
  }
  Spare spare;
  const auto copy = [&](const auto* values) {
    for (int64_t i = 0; i < block.count; ++i) {
      const auto* row = dense.typed_row(values, block.row(i), spare) + first * dense.column_stride;
      double* out = buffer.data() + i * columns;
      for (int64_t d = 0; d < columns; ++d) out[d] = static_cast<double>(row[d * dense.column_stride]);
    }
  };
  if (dense.values.element == VTEMPER_DOUBLE) {
    copy(static_cast<const double*>(dense.values.data));
  } else {
    copy(static_cast<const float*>(dense.values.data));
  }
  return {buffer.data(), columns};
}

}  // namespace vtemper
