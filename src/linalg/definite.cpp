#include "linalg/definite.h"

#include <algorithm>
#include <cmath>

#include "linalg/products.h"

namespace vtemper::linalg {

namespace {

constexpr auto lower = eigen::Lower;

/// In-place Cholesky factorisation of one block.
bool factorize_block(double* a, int64_t n, int64_t row) {
  MatrixMap block_of_a = matrix_of(a, n, n, row);
  const eigen::LLT<eigen::Ref<Matrix, 0, eigen::OuterStride<>>> llt(block_of_a);
  if (llt.info() != eigen::Success) return false;
  return (block_of_a.diagonal().array() > 0).all() && block_of_a.diagonal().allFinite();
}

/// out [n x n, row stride `block`] = L^-1 of one block.
void invert_block(const double* factor, int64_t n, int64_t row, double* out) {
  MatrixMap inverse = matrix_of(out, n, n, block);
  inverse.setIdentity();
  matrix_of(factor, n, n, row).triangularView<lower>().solveInPlace(inverse);
}

}  // namespace

void DefiniteWork::reserve(int64_t n) {
  const int64_t whole = (n + block - 1) / block * block;
  for (Array<double>* values : {&diagonals_, &panel_, &turned_}) values->resize(static_cast<size_t>(whole * block));
}

/// By block columns: L_jj of A_jj, then L_ij = A_ij L_jj^-T below it, then A_ik -= L_ij L_kj'.
bool cholesky(double* a, int64_t n, DefiniteWork& work) {
  for (int64_t j = 0; j < n; j += block) {
    const int64_t width = std::min(block, n - j);
    double* corner = a + j * n + j;
    if (!factorize_block(corner, width, n)) return false;
    const int64_t below = n - j - width;
    if (below == 0) return true;
    double* inverse = work.diagonal(0);
    invert_block(corner, width, n, inverse);
    double* turned = work.turned();
    matrix_of(turned, width, width, width) = matrix_of(inverse, width, width, block).transpose();
    MatrixMap panel = matrix_of(work.panel(), below, width, width);
    panel.setZero();
    add_product({corner + width * n, n, 1, turned, width, work.panel(), width, below, width, width});
    matrix_of(corner + width * n, below, width, n) = panel;
    matrix_of(turned, width, below, below) = -panel.transpose();
    double* trailing = corner + width * n + width;
    for (int64_t i = 0; i < below; i += block) {
      const int64_t height = std::min(block, below - i);
      add_product(
          {work.panel() + i * width, width, 1, turned, below, trailing + i * n, n, height, width, i + height});
    }
  }
  return true;
}

double log_determinant(const double* factor, int64_t n) {
  return 2 * square_of(factor, n).diagonal().array().log().sum();
}

/// With A = L^-1, by block columns: A_jj = L_jj^-1, A_ij = -L_ii^-1 sum_{j <= k < i} L_ik A_kj.
void invert_factor(const double* factor, int64_t n, double* inverse, DefiniteWork& work) {
  for (int64_t i = 0; i < n; i += block)
    invert_block(factor + i * n + i, std::min(block, n - i), n, work.diagonal(i));
  square_of(inverse, n).setZero();
  for (int64_t j = 0; j < n; j += block) {
    const int64_t width = std::min(block, n - j);
    double* column = work.panel();  // A_jj, A_{j+1,j} ... stacked
    matrix_of(column, width, width, width) = matrix_of(work.diagonal(j), width, width, block);
    for (int64_t i = j + width; i < n; i += block) {
      const int64_t height = std::min(block, n - i);
      MatrixMap sum = matrix_of(work.turned(), height, width, width);
      sum.setZero();
      add_product({factor + i * n + j, n, 1, column, width, work.turned(), width, height, i - j, width});
      sum = -sum;
      double* out = column + (i - j) * width;
      matrix_of(out, height, width, width).setZero();
      add_product({work.diagonal(i), block, 1, work.turned(), width, out, width, height, height, width});
    }
    matrix_of(inverse + j * n + j, n - j, width, n) = matrix_of(column, n - j, width, width);
  }
}

/// By block rows: (A'A)_ij = sum_{k >= i} A_ki' A_kj.
void square_factor(const double* a, int64_t n, double* product) {
  MatrixMap out = square_of(product, n);
  out.setZero();
  for (int64_t i = 0; i < n; i += block) {
    const int64_t height = std::min(block, n - i);
    add_product({a + i * n + i, 1, n, a + i * n, n, product + i * n, n, height, n - i, i + height});
  }
  out.triangularView<eigen::StrictlyUpper>() = out.transpose();
}

void solve(const double* factor, int64_t n, double* x) {
  const ConstMatrixMap l = square_of(factor, n);
  VectorMap solution = vector_of(x, n);
  l.triangularView<lower>().solveInPlace(solution);
  l.transpose().triangularView<eigen::Upper>().solveInPlace(solution);
}

int64_t asymmetric_element(const double* a, int64_t n) {
  constexpr double rounding = 1e-9;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = i + 1; j < n; ++j) {
      const double here = a[i * n + j], mirrored = a[j * n + i];
      // No root of the product, which could overflow. NaN, where a diagonal element is negative, allows nothing.
      const double size = std::sqrt(a[i * n + i]) * std::sqrt(a[j * n + j]);
      if (here != mirrored && !(std::abs(here - mirrored) <= rounding * size)) return i * n + j;
    }
  }
  return -1;
}

void make_symmetric(double* a, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      double &here = a[i * n + j], &mirrored = a[j * n + i];
      if (here != mirrored) here = mirrored = here / 2 + mirrored / 2;
    }
  }
}

bool is_definite(const double* a, int64_t n) {
  Array<double> factor(static_cast<size_t>(n * n));
  std::copy_n(a, n * n, factor.data());
  DefiniteWork work(n);
  return cholesky(factor.data(), n, work);
}

Array<double> inverse_of(const double* a, int64_t n, double* factor) {
  Array<double> own(static_cast<size_t>(n * n)), columns(own), inverse(own);
  std::copy_n(a, n * n, own.data());
  DefiniteWork work(n);
  cholesky(own.data(), n, work);
  invert_factor(own.data(), n, columns.data(), work);
  square_factor(columns.data(), n, inverse.data());
  if (factor != nullptr) std::copy_n(own.data(), n * n, factor);
  return inverse;
}

}  // namespace vtemper::linalg
