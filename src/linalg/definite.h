#pragma once
// Symmetric positive definite matrices [n x n], row-major, through their Cholesky factors. Only lower triangles are
// read. Blocks of `block` rows are left to Eigen; the rest is matrix products (products.h). Only the workspace
// allocates.

#include "linalg/eigen.h"
#include "support/array.h"

namespace vtemper::linalg {

/// Rows of a block. Eigen's temporaries for one block are on the stack.
constexpr int64_t block = 64;

/// Workspace for matrices up to a given size.
class DefiniteWork {
 public:
  DefiniteWork() = default;
  explicit DefiniteWork(int64_t n) { reserve(n); }
  void reserve(int64_t n);

  double* diagonal(int64_t first) { return diagonals_.data() + first * block; }  ///< [block x block]
  double* panel() { return panel_.data(); }                                      ///< [n x block]
  double* turned() { return turned_.data(); }                                    ///< [block x n]

 private:
  Array<double> diagonals_, panel_, turned_;
};

/// a = L L' in place, in the lower triangle. False if a is not positive definite or not finite; a is then undefined.
bool cholesky(double* a, int64_t n, DefiniteWork& work);

/// log |L L'|.
double log_determinant(const double* factor, int64_t n);

/// inverse = L^-1, with zeros above the diagonal.
void invert_factor(const double* factor, int64_t n, double* inverse, DefiniteWork& work);

/// product = A'A of a lower triangular A, both triangles; (L L')^-1 for A = L^-1.
void square_factor(const double* a, int64_t n, double* product);

/// x <- (L L')^-1 x.
void solve(const double* factor, int64_t n, double* x);

/// The first element of a matrix, row by row, that differs from its mirror image by more than rounding: by 1e-9 of
/// the geometric mean of the two diagonal elements, as the inverse of a symmetric matrix does. -1: none.
int64_t asymmetric_element(const double* a, int64_t n);
/// Replaces elements and their mirror images by their means; those that are equal keep their bits.
void make_symmetric(double* a, int64_t n);

// As cholesky, on a copy.
bool is_definite(const double* a, int64_t n);
/// a^-1 of a positive definite a; `factor`, if not NULL, receives L.
Array<double> inverse_of(const double* a, int64_t n, double* factor = nullptr);

}  // namespace vtemper::linalg
