#pragma once
// Checks that rows from any kind of arrays have in common.

#include "data/data.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

/// Error(ARGUMENT) for impossible sizes. Arrays: CountsArrays or SequenceArrays; `columns`: the caller's name of the
/// number of columns.
template <class Arrays>
void check_array_sizes(const Arrays& arrays, const char* columns) {
  constexpr int64_t max_rows = INT64_MAX / 8 - 1;  // so that the offsets' size in bytes does not overflow
  if (arrays.rows < 0 || arrays.rows > max_rows) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("argument rows is ", arrays.rows, "; it must lie between 0 and ", max_rows));
  }
  if (arrays.columns < 0 || arrays.columns > max_columns) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("argument ", columns, " is ", arrays.columns, "; it must lie between 0 and ", max_columns));
  }
  if (arrays.index_base != 0 && arrays.index_base != 1) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("argument index_base is ", arrays.index_base, "; valid values are 0 and 1"));
  }
  if (arrays.offsets.data == nullptr) throw Error(VTEMPER_ERROR_ARGUMENT, "argument offsets is NULL");
}

}  // namespace vtemper
