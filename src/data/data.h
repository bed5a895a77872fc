#pragma once
// What is fed: sparse counts or dense rows, with the names of the columns and the weights of the rows.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vtemper/vtemper.h>

namespace vtemper {

/// An array of one of the four element types, borrowed; its owner is held by the object around it.
struct TypedArray {
  const void* data = nullptr;
  vtemper_element element = VTEMPER_DOUBLE;
  int64_t integer(int64_t i) const;  ///< INT32 and INT64 only
  double real(int64_t i) const;
};

/// Sparse counts compressed by rows (documents), as they were handed in: no element is converted or copied.
class Counts {
 public:
  int64_t rows = 0;
  int64_t columns = 0;  ///< < 2^31
  int64_t entries = 0;
  TypedArray offsets, indices, values;
  int64_t index_base = 0;
  std::shared_ptr<const void> owner;  ///< keeps the arrays: own copy, mapping or the caller's release hook
  std::string source;                 ///< names the mapped file in messages; "" where everything was checked on the way in

  /// Stored entries of a row, zeros included (an upper bound of what read_row gives).
  int64_t row_length(int64_t row) const;

  /// The row's positive counts: columns (from 0) and values. Returns how many. Error(FORMAT) where a mapped file holds an
  /// index out of range or a value that is no count. Real: float or double.
  template <class Real>
  int64_t read_row(int64_t row, int32_t* columns_out, Real* values_out) const;
};

/// Dense rows with strides in elements, FLOAT or DOUBLE; NaN = missing.
class Dense {
 public:
  int64_t rows = 0;
  int64_t columns = 0;
  TypedArray values;
  int64_t row_stride = 0;
  int64_t column_stride = 0;
  std::shared_ptr<const void> owner;
  double at(int64_t row, int64_t column) const { return values.real(row * row_stride + column * column_stride); }
};

/// The names of the columns; offsets[i]..offsets[i + 1] of text, each followed by a zero byte.
using Names = std::vector<std::string>;

/// Immutable but for names and weights, which are set before a fit.
class Data {
 public:
  std::optional<Counts> counts;  ///< exactly one of the two
  std::optional<Dense> dense;
  std::shared_ptr<const Names> names;                    ///< NULL where the columns have none
  std::shared_ptr<const std::vector<double>> weights;    ///< NULL: every row counts once

  int64_t rows() const { return counts ? counts->rows : dense->rows; }
  int64_t columns() const { return counts ? counts->columns : dense->columns; }
  double weight(int64_t row) const { return weights ? (*weights)[static_cast<size_t>(row)] : 1.0; }
};

using DataPointer = std::shared_ptr<Data>;

// Making data. Every function validates and throws Error: ARGUMENT, DATA (the first offending row and column), FORMAT.

struct CountsArrays {
  vtemper_layout layout;
  int64_t rows, columns;
  TypedArray offsets, indices, values;
  int64_t index_base;
};
/// `owner` NULL: copies.
DataPointer data_from_counts(const CountsArrays& arrays, std::shared_ptr<const void> owner);
DataPointer data_from_dense(const Dense& dense, bool copy);
DataPointer data_read(const std::string& path, const std::string& format);
void data_write(const Data& data, const std::string& path);
void data_verify(const Data& data);

double data_total(const Data& data);
void data_set_names(Data& data, Names names);
void data_set_weights(Data& data, std::vector<double> weights);
struct Aligned {
  DataPointer data;
  double unknown_tokens;
};
Aligned data_align(const Data& data, const Names& reference);
DataPointer data_select(const Data& data, const int64_t* rows, int64_t count);
struct DataPair {
  DataPointer first, second;
};
DataPair data_split(const Data& data, double share, uint64_t seed);
DataPair data_split_counts(const Data& data, double share, uint64_t seed);

}  // namespace vtemper
