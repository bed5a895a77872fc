#pragma once
// Eigenvectors of symmetric matrices. Compiled once, in one file: Eigen's decomposition takes the compiler five
// seconds.

#include "linalg/eigen.h"

namespace vtemper::linalg {

/// The values are in ascending order; the vectors are columns.
using Eigenvectors = eigen::SelfAdjointEigenSolver<Matrix>;

/// Decomposes a [n x n], of which the lower triangle is read. Allocates nothing if `result` was created for n.
void decompose(const double* a, int64_t n, Eigenvectors& result);

}  // namespace vtemper::linalg
