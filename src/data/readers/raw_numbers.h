#pragma once
// Dense rows out of binary files: numbers of several types and byte orders, converted to float where that holds them
// all exactly, else to double.

#include "data/data_builder.h"
#include "data/readers/scanner.h"

namespace vtemper {

/// A type of number in a file.
struct RawType {
  enum class Kind { whole, natural, real } kind;
  int bytes;  ///< 1, 2, 4 or 8; real: 4 or 8
  bool big_endian;
};

/// The rest of the file: `rows` times `columns` numbers, in the order of the rows or (`by_columns`, for which all are
/// held in memory) of the columns, and nothing behind them. Memory grows with what is there, not with what is
/// announced. Error(FORMAT) where numbers are lacking or left over, Error(DATA) for infinite ones.
void read_raw_numbers(Scanner& scanner, const RawType& type, int64_t rows, int64_t columns, bool by_columns,
                      DataBuilder& data);

/// a b, or Error(FORMAT) where that is more than can be addressed.
int64_t size_product(const Scanner& scanner, int64_t a, int64_t b);

}  // namespace vtemper
