#pragma once
// Products of dense matrices, and the partition of rows among threads. Each element's sum runs over the inner index
// in order and depends on its row and column only, so any partition gives the same bits.

#include <algorithm>
#include <cstdint>

#include "kernels/dispatch.h"
#include "support/threads.h"

namespace vtemper {

/// A row-major matrix or the transpose of one: element (i, j) is data[i * row + j * column].
template <class Real>
struct MatrixView {
  const Real* data;
  int64_t row, column;
};

template <class Real>
MatrixView<Real> by_rows(const Real* data, int64_t columns) {
  return {data, columns, 1};
}
/// The transpose of a row-major matrix with `columns` elements per row.
template <class Real>
MatrixView<Real> transposed(const Real* data, int64_t columns) {
  return {data, 1, columns};
}
/// A vector of ones (for sums of rows), or one repeated number.
template <class Real>
MatrixView<Real> repeated(const Real* value) {
  return {value, 0, 0};
}

/// c += a b, with a [rows x inner] and row-major b [inner x columns] and c [rows x columns].
template <class Real>
void add_product(const MatrixView<Real>& a, const Real* b, Real* c, int64_t rows, int64_t inner, int64_t columns) {
  kernels::table<Real>().add_product({a.data, a.row, a.column, b, columns, c, columns, rows, inner, columns});
}

/// c = a b, plus `start` [columns] in every row unless it is NULL.
template <class Real>
void set_product(const MatrixView<Real>& a, const Real* b, Real* c, int64_t rows, int64_t inner, int64_t columns,
                 const Real* start = nullptr) {
  kernels::table<Real>().add_product(
      {a.data, a.row, a.column, b, columns, c, columns, rows, inner, columns, false, start});
}

/// out [columns x out_row] = the transpose of the rows x columns elements of `in` [rows x in_row].
template <class Real>
void transpose_matrix(const Real* in, int64_t rows, int64_t columns, int64_t in_row, Real* out, int64_t out_row) {
  kernels::table<Real>().transpose({in, in_row, rows, columns, out, out_row});
}

/// Rows multiplied together: kernel tiles.
constexpr int64_t product_rows = 24;
constexpr int64_t product_tasks(int64_t rows) {
  return (rows + product_rows - 1) / product_rows;
}

/// The range of rows first .. end.
struct Range {
  int64_t first, end;
  int64_t count() const { return end - first; }
};
/// Part `part` of `parts` of `rows` rows.
constexpr Range range_of(int64_t rows, int64_t part, int64_t parts) {
  return {rows * part / parts, rows * (part + 1) / parts};
}

/// Calls visit(first, end, share) for each thread's range of rows, in blocks whose results fit in cache. For
/// computations that do not depend on the blocking, such as products.
template <class Visit>
void share_rows(int64_t rows, int threads, const Visit& visit) {
  constexpr int64_t most = 64;
  parallel_shares(threads, [&](int64_t share, LoopEnd& end) {
    const Range own = range_of(rows, share, threads);
    const int64_t blocks = (own.count() + most - 1) / most;
    for (int64_t block = 0; block < blocks && !end.wanted(); ++block) {
      const Range part = range_of(own.count(), block, blocks);
      visit(own.first + part.first, own.first + part.end, share);
    }
  });
}

}  // namespace vtemper
