#pragma once
// Dense rows for tests, from values in row order.

#include <vector>

#include "data/data.h"

namespace vtemper::test {

inline DataPointer dense_data(const std::vector<double>& values, int64_t columns) {
  Dense dense;
  dense.rows = static_cast<int64_t>(values.size()) / columns;
  dense.columns = columns;
  dense.values = {values.data(), VTEMPER_DOUBLE};
  dense.row_stride = columns;
  dense.column_stride = 1;
  return data_from_dense(dense, true);
}

}  // namespace vtemper::test
