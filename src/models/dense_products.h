#pragma once
// Products of dense matrices in tasks that threads share out. An element's sum runs over the inner index in order and
// depends on its row and its column alone, so tasks of any size give the same bits.

#include <algorithm>
#include <cstdint>

#include "kernels/dispatch.h"

namespace vtemper {

/// A matrix of rows, or the transpose of one: element (i, j) at data[i * row + j * column].
template <class Real>
struct MatrixView {
  const Real* data;
  int64_t row, column;
};

template <class Real>
MatrixView<Real> by_rows(const Real* data, int64_t columns) {
  return {data, columns, 1};
}
/// The transpose of a matrix of rows with `columns` elements.
template <class Real>
MatrixView<Real> transposed(const Real* data, int64_t columns) {
  return {data, 1, columns};
}
/// A vector of ones, for sums of rows, or one number for all.
template <class Real>
MatrixView<Real> repeated(const Real* value) {
  return {value, 0, 0};
}

/// c += a b, with a [rows x inner] and contiguous rows of b [inner x columns] and c [rows x columns].
template <class Real>
void add_product(const MatrixView<Real>& a, const Real* b, Real* c, int64_t rows, int64_t inner, int64_t columns) {
  kernels::table<Real>(kernels::instruction_set())
      .add_product({a.data, a.row, a.column, b, columns, c, columns, rows, inner, columns});
}

/// c = a b, each row added to `start` [columns]; NULL: to nothing.
template <class Real>
void set_product(const MatrixView<Real>& a, const Real* b, Real* c, int64_t rows, int64_t inner, int64_t columns,
                 const Real* start = nullptr) {
  kernels::table<Real>(kernels::instruction_set())
      .add_product({a.data, a.row, a.column, b, columns, c, columns, rows, inner, columns, false, start});
}

/// out [columns x out_row] = the transpose of the rows x columns elements of `in` [rows x in_row].
template <class Real>
void transpose_matrix(const Real* in, int64_t rows, int64_t columns, int64_t in_row, Real* out, int64_t out_row) {
  kernels::table<Real>(kernels::instruction_set()).transpose({in, in_row, rows, columns, out, out_row});
}

/// out = bias + x w for rows of units: x [rows x in], w [in x units], bias [units].
template <class Real>
void linear_layer(const Real* x, const Real* w, const Real* bias, Real* out, int64_t rows, int64_t in,
                  int64_t units) {
  set_product(by_rows(x, in), w, out, rows, in, units, bias);
}

/// Rows that are multiplied together: tiles of the kernel.
constexpr int64_t product_rows = 24;
constexpr int64_t product_tasks(int64_t rows) {
  return (rows + product_rows - 1) / product_rows;
}

/// Rows in blocks for threads to share out: the same share for each thread, in blocks as large as a near cache takes,
/// since each of them reads all weights. For what does not depend on the blocks, as products do not.
class RowBlocks {
 public:
  RowBlocks(int64_t rows, int threads) : rows_(rows) {
    constexpr int64_t most = 64, tile = 32;
    share_ = std::max<int64_t>(1, (rows + threads - 1) / threads);
    blocks_ = (share_ + most - 1) / most;
    size_ = ((share_ + blocks_ - 1) / blocks_ + tile - 1) / tile * tile;
  }
  int64_t count() const { return (rows_ + share_ - 1) / share_ * blocks_; }
  int64_t first(int64_t block) const {
    return std::min(rows_, block / blocks_ * share_ + std::min(share_, block % blocks_ * size_));
  }
  int64_t end(int64_t block) const { return first(block + 1); }

 private:
  int64_t rows_, share_, blocks_, size_;
};

}  // namespace vtemper
