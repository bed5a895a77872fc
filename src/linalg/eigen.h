#pragma once
// Eigen, used for dense algebra. No other header includes it (gate linalg), and it is never used in code compiled for
// a specific instruction set: the linker could pick those instantiations for the whole library.
//
// No threads, no streams, no assertions that abort, and fixed cache sizes: they determine the blocking of sums and
// therefore the bits. Temporaries on the stack, of which a product has two, are small, because the host's threads may
// have small stacks; a block of definite.h just fits. The namespace is renamed because weak symbols of the static
// library would otherwise be merged with those of a host that uses Eigen with other settings.

#if defined(EIGEN_WORLD_VERSION)
#error "linalg/eigen.h is the only header that includes Eigen"
#endif

#define EIGEN_DONT_PARALLELIZE
#define EIGEN_MPL2_ONLY
#define EIGEN_NO_CPUID
#define EIGEN_NO_DEBUG
#define EIGEN_NO_IO
#define EIGEN_STACK_ALLOCATION_LIMIT (32 * 1024)
#define EIGEN_DEFAULT_L1_CACHE_SIZE (32 * 1024)
#define EIGEN_DEFAULT_L2_CACHE_SIZE (256 * 1024)
#define EIGEN_DEFAULT_L3_CACHE_SIZE (2 * 1024 * 1024)

#define Eigen vtemper_eigen
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#undef Eigen

#include <cstdint>

namespace vtemper::linalg {

namespace eigen = vtemper_eigen;

/// Matrices are row-major, as the library's arrays are.
using Matrix = eigen::Matrix<double, eigen::Dynamic, eigen::Dynamic, eigen::RowMajor>;
using Vector = eigen::VectorXd;

// Views of external memory as vectors and matrices; they allocate nothing.
using VectorMap = eigen::Map<Vector>;
using ConstVectorMap = eigen::Map<const Vector>;
using MatrixMap = eigen::Map<Matrix, eigen::Unaligned, eigen::OuterStride<>>;
using ConstMatrixMap = eigen::Map<const Matrix, eigen::Unaligned, eigen::OuterStride<>>;

inline VectorMap vector_of(double* values, int64_t length) {
  return {values, length};
}
inline ConstVectorMap vector_of(const double* values, int64_t length) {
  return {values, length};
}
/// Rows are `row` elements apart.
inline MatrixMap matrix_of(double* values, int64_t rows, int64_t columns, int64_t row) {
  return {values, rows, columns, eigen::OuterStride<>(row)};
}
inline ConstMatrixMap matrix_of(const double* values, int64_t rows, int64_t columns, int64_t row) {
  return {values, rows, columns, eigen::OuterStride<>(row)};
}
inline MatrixMap square_of(double* values, int64_t n) {
  return matrix_of(values, n, n, n);
}
inline ConstMatrixMap square_of(const double* values, int64_t n) {
  return matrix_of(values, n, n, n);
}

/// (x - y)' A (x - y); allocates nothing.
inline double squared_distance(const ConstMatrixMap& a, const ConstVectorMap& x, const ConstVectorMap& y) {
  double sum = 0;
  for (int64_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * a.row(i).dot(x - y);
  return sum;
}

}  // namespace vtemper::linalg
