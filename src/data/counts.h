#pragma once
// Sparse counts: one form of data.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "data/typed_array.h"

namespace vtemper {

/// Maximum number of columns of counts: column indices are 32-bit.
constexpr int64_t max_columns = INT32_MAX;

/// Sparse counts in compressed row storage (rows are documents). Borrowed arrays are used in place, without
/// conversion or copies.
class Counts {
 public:
  static constexpr vtemper_data_form form = VTEMPER_COUNTS;
  static constexpr const char* name = "counts";  ///< in messages
  static constexpr const char* made_by = "vtemper_data_from_counts";

  int64_t rows = 0;
  int64_t columns = 0;                ///< at most max_columns
  int64_t entries = 0;                ///< stored entries, including zeros
  int64_t first_entry = 0;            ///< position of the rows' entries in the arrays; non-zero only in slices
  TypedArray offsets;                 ///< [rows + 1], INT32 or INT64, starting at index_base + first_entry
  TypedArray indices;                 ///< [first_entry + entries], INT32 or INT64, starting at index_base
  TypedArray values;                  ///< [first_entry + entries], any element type
  int64_t index_base = 0;             ///< 0 or 1
  std::shared_ptr<const void> owner;  ///< keeps the arrays alive: own copy, mapping or the caller's release hook
  std::string source;                 ///< the mapped file's name; "" if everything was validated on input

  /// Number of stored counts.
  int64_t elements() const { return entries; }

  /// Stored entries of a row including zeros, an upper bound on the result of read_row. Error(FORMAT) if the offsets
  /// of a mapped file are out of range or decreasing.
  int64_t row_length(int64_t row) const;

  /// Prefetches the offsets of a row, and then its entries (the row must be in range): random access to a large
  /// corpus would otherwise wait for memory row by row.
  void prefetch_offsets(int64_t row) const;
  void prefetch_entries(int64_t row) const;

  /// The row's positive counts: columns (from 0) and values. Returns their number. `length`: the result
  /// of row_length, the size of the output arrays; the row may have changed since. Error(FORMAT) if a mapped file
  /// holds an index out of range or an invalid count, or was changed; Error(DATA) if a count is too large for Real
  /// (float or double), or borrowed arrays were changed.
  template <class Real>
  int64_t read_row(int64_t row, int64_t length, int32_t* columns_out, Real* values_out) const;

  /// Calls visit(column, count) for each positive count of the row, in storage order; count is a double.
  template <class Visit>
  void visit_row(int64_t row, const Visit& visit) const {
    constexpr int64_t most = 128;
    int32_t columns_here[most];
    double values_here[most];
    const int64_t length = row_length(row);
    for (int64_t first = 0; first < length; first += most) {
      const int64_t read = read_part(row, first, std::min(length - first, most), columns_here, values_here);
      for (int64_t i = 0; i < read; ++i) visit(columns_here[i], values_here[i]);
    }
  }

 private:
  /// The positive entries among the stored ones [first, first + length) of a row.
  template <class Real>
  int64_t read_part(int64_t row, int64_t first, int64_t length, int32_t* columns_out, Real* values_out) const;
};

}  // namespace vtemper
