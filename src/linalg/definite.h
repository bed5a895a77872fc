#pragma once
// Symmetric positive definite matrices [n x n], row-major, by their Cholesky factors. Only lower triangles are read.
// Blocks of `block` rows are Eigen's, what is beyond one block is made of products (products.h). Nothing allocates
// but the work space.

#include "linalg/eigen.h"
#include "support/array.h"

namespace vtemper::linalg {

/// Rows of a block. Eigen keeps what it needs for one on the stack.
constexpr int64_t block = 64;

/// Work space for matrices of up to a size.
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

/// a = L L' in place, in the lower triangle. False where a is not positive definite or not finite; it is then lost.
bool cholesky(double* a, int64_t n, DefiniteWork& work);

/// log |L L'|.
double log_determinant(const double* factor, int64_t n);

/// inverse = L^-1, zeros above the diagonal.
void invert_factor(const double* factor, int64_t n, double* inverse, DefiniteWork& work);

/// product = A'A of a lower triangular A, both triangles: (L L')^-1 of A = L^-1.
void square_factor(const double* a, int64_t n, double* product);

/// x <- (L L')^-1 x.
void solve(const double* factor, int64_t n, double* x);

// The same with memory of their own.
bool is_definite(const double* a, int64_t n);
/// a^-1 of a definite a; `factor`, if not NULL, becomes L.
Array<double> inverse_of(const double* a, int64_t n, double* factor = nullptr);

}  // namespace vtemper::linalg
