// Dense input: validated, then borrowed or copied into a contiguous array.

#include "data/buffer.h"
#include "data/data.h"

namespace vtemper {
namespace {

void require_size(int64_t size, const char* argument) {
  if (size >= 0) return;
  throw Error(VTEMPER_ERROR_ARGUMENT, message("argument ", argument, " is ", size, ", which is negative"));
}

/// Validates sizes, strides and the resulting extent.
void check_shape(const Dense& dense) {
  require_size(dense.rows, "rows");
  require_size(dense.columns, "columns");
  require_size(dense.row_stride, "row_stride");
  require_size(dense.column_stride, "column_stride");
  if (dense.values.element != VTEMPER_FLOAT && dense.values.element != VTEMPER_DOUBLE) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message("argument values_type is ", static_cast<int>(dense.values.element),
                                                "; valid values are VTEMPER_FLOAT and VTEMPER_DOUBLE"));
  }
  int64_t bytes = 0, last_of_row = 0, last_row = 0, end = 0;
  if (__builtin_mul_overflow(dense.rows, dense.columns, &bytes) || __builtin_mul_overflow(bytes, 8, &bytes)) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message(dense.rows, " rows and ", dense.columns, " columns are more than can be addressed"));
  }
  // Limit on values that share memory through zero strides, so that validating them takes only a moment.
  constexpr int64_t max_without_memory = 100000000;
  const bool same_row =
      dense.row_stride == 0 && dense.rows > max_without_memory / std::max<int64_t>(1, dense.columns);
  const bool same_value =
      dense.column_stride == 0 && dense.columns > max_without_memory / std::max<int64_t>(1, dense.rows);
  if ((dense.columns == 0 && dense.rows > max_without_memory) || (bytes > 0 && (same_row || same_value))) {
    throw Error(
        VTEMPER_ERROR_ARGUMENT,
        message(dense.rows, " rows and ", dense.columns, " columns with the strides ", dense.row_stride, " and ",
                dense.column_stride, " share memory; the maximum number of such values is ", max_without_memory));
  }
  if (bytes == 0) return;
  if (dense.values.data == nullptr) throw Error(VTEMPER_ERROR_ARGUMENT, "argument values is NULL");
  if (__builtin_mul_overflow(dense.rows - 1, dense.row_stride, &last_row) ||
      __builtin_mul_overflow(dense.columns - 1, dense.column_stride, &last_of_row) ||
      __builtin_add_overflow(last_row, last_of_row, &end) || __builtin_mul_overflow(end, 8, &end)) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message("the strides ", dense.row_stride, " and ", dense.column_stride,
                                                " reach beyond the address space"));
  }
}

template <class Real>
void check_values(const Dense& dense, const Real* values) {
  for (int64_t row = 0; row < dense.rows; ++row) {
    for (int64_t column = 0; column < dense.columns; ++column) {
      const Real value = values[row * dense.row_stride + column * dense.column_stride];
      if (std::isinf(value)) {
        throw Error(VTEMPER_ERROR_DATA, message("row ", row, ", column ", column, " is ", value,
                                                "; values must be finite, or NaN where they are missing"));
      }
    }
  }
}

/// A contiguous row-major copy with its own memory.
template <class Real>
Dense contiguous(const Dense& dense, const Real* values) {
  const auto copy = std::make_shared<Buffer<Real>>(dense.rows * dense.columns);
  Spare spare;
  for (int64_t row = 0, i = 0; row < dense.rows; ++row) {
    const Real* const of_row = dense.typed_row(values, row, spare);
    for (int64_t column = 0; column < dense.columns; ++column, ++i) (*copy)[i] = of_row[column * dense.column_stride];
  }
  Dense result;
  result.rows = dense.rows;
  result.columns = dense.columns;
  result.values = typed_array(copy->data());
  result.row_stride = dense.columns;
  result.column_stride = 1;
  result.owner = copy;
  return result;
}

}  // namespace

DataPointer data_from_dense(const Dense& dense, bool copy) {
  check_shape(dense);
  Dense rows = dense;
  with_numbers(dense.values, [&](const auto* values) {
    using Value = std::decay_t<decltype(*values)>;
    if constexpr (std::is_floating_point_v<Value>) {
      if (dense.rows > 0) check_values(dense, values);
      if (copy) rows = contiguous(dense, values);
    }
  });
  return std::make_shared<Data>(std::move(rows));
}

}  // namespace vtemper
