#pragma once
// Eigenvectors of symmetric matrices. Compiled once, in one file: Eigen's decomposition takes the compiler five
// seconds.

#include "linalg/eigen.h"

namespace vtemper::linalg {

/// Its values ascend; its vectors are columns.
using Eigenvectors = eigen::SelfAdjointEigenSolver<Matrix>;

/// Of a [n x n], whose lower triangle is read. Allocates nothing where `result` was made for n.
void decompose(const double* a, int64_t n, Eigenvectors& result);

}  // namespace vtemper::linalg
