// Returns one row of data to the caller.

#include <algorithm>
#include <cmath>
#include <vector>

#include "api/guard.h"
#include "api/handles.h"

using namespace vtemper::api;
using vtemper::Error;
using vtemper::message;

namespace {

/// The elements of a row, collected before anything is written: a damaged row leaves the caller's arrays unchanged.
struct Row {
  std::vector<int64_t> columns;
  std::vector<double> values;

  void add(int64_t column, double value) {
    columns.push_back(column);
    values.push_back(value);
  }
  void reserve(int64_t length) {
    columns.reserve(static_cast<size_t>(length));
    values.reserve(static_cast<size_t>(length));
  }
};

Row row_of(const vtemper::Dense& dense, int64_t row) {
  Row found;
  found.reserve(dense.columns);
  vtemper::Spare spare;
  const vtemper::DenseRow values = dense.row(row, spare);
  for (int64_t column = 0; column < dense.columns; ++column) found.add(column, values[column]);
  return found;
}

Row row_of(const vtemper::Sequences& sequences, int64_t row) {
  const int64_t length = sequences.row_length(row);
  std::vector<int32_t> symbols(static_cast<size_t>(length));
  sequences.read_row(row, length, symbols.data());
  Row found;
  found.columns.assign(symbols.begin(), symbols.end());
  found.values.assign(symbols.size(), 1.0);
  return found;
}

Row row_of(const vtemper::Counts& counts, int64_t row) {
  Row found;
  found.reserve(counts.row_length(row));
  counts.visit_row(row, [&](int32_t column, double count) { found.add(column, count); });
  return found;
}

Row read_row(const vtemper::Data& data, int64_t row) {
  Row found = std::visit([row](const auto& rows) { return row_of(rows, row); }, data.observations);
  for (size_t i = 0; i < found.values.size(); ++i) {
    if (!std::isinf(found.values[i])) continue;  // refused on input, but not in mapped files
    throw Error(data.file ? VTEMPER_ERROR_FORMAT : VTEMPER_ERROR_DATA,
                message("row ", row, ", column ", found.columns[i], " is infinite"));
  }
  return found;
}

}  // namespace

vtemper_status vtemper_data_row(const vtemper_data* data, int64_t row, int64_t* columns, double* values,
                                int64_t capacity, int64_t* length) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require_index(row, held.rows(), "row");
    require(length, "length");
    const Row found = read_row(held, row);
    const auto needed = static_cast<int64_t>(found.columns.size());
    if ((columns != nullptr || values != nullptr) && capacity < needed) {
      *length = needed;
      throw Error(VTEMPER_ERROR_ARGUMENT,
                  message("argument capacity is ", capacity, "; row ", row, " has ", needed, " elements"));
    }
    if (columns != nullptr) std::copy(found.columns.begin(), found.columns.end(), columns);
    if (values != nullptr) std::copy(found.values.begin(), found.values.end(), values);
    *length = needed;
  });
}
