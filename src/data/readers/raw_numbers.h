#pragma once
// Dense rows from binary files: numbers of several types and byte orders, converted to float if that is exact for all
// values of the type, otherwise to double.

#include <memory>

#include "data/buffer.h"
#include "data/data.h"
#include "data/data_builder.h"
#include "data/readers/scanner.h"

namespace vtemper {

/// A type of number in a file.
struct RawType {
  enum class Kind { whole, natural, real } kind;
  int bytes;  ///< 1, 2, 4 or 8; real: 2, 4 or 8
  bool big_endian;
};

/// Reads the rest of the file: `rows` x `columns` numbers in row-major or, with `by_columns`, column-major order
/// (which needs all of them in memory). Memory grows with the numbers read, not with the size in the header.
/// Error(FORMAT) for missing or surplus bytes, Error(DATA) for infinite values.
void read_raw_numbers(Scanner& scanner, const RawType& type, int64_t rows, int64_t columns, bool by_columns,
                      DataBuilder& data);

/// Gives the builder `rows` x `columns` values that are stored by columns. Error(DATA) for infinite values.
template <class Real>
void take_columns(const Scanner& scanner, const std::shared_ptr<Buffer<Real>>& values, int64_t rows, int64_t columns,
                  DataBuilder& data) {
  values->shrink();
  Dense dense;
  dense.rows = rows;
  dense.columns = columns;
  dense.values = typed_array(values->data());
  dense.row_stride = 1;
  dense.column_stride = rows;
  dense.owner = values;
  try {
    data.take(data_from_dense(dense, false));
  } catch (const Error& error) {
    throw Error(error.status(), message(scanner.path(), ": ", error.what()));
  }
}

/// The product a b; Error(FORMAT) on overflow.
int64_t size_product(const Scanner& scanner, int64_t a, int64_t b);

}  // namespace vtemper
