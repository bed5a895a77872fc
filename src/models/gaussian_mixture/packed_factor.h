#pragma once
// A lower triangular A [n x n] in the packed form of the kernels (kernels::packed_factor_size).

#include <cstdint>

namespace vtemper {

void pack_factor(const double* a, int64_t n, double* packed);

/// |A x|^2 of a packed A.
double squared_length(const double* packed, int64_t n, const double* x);

}  // namespace vtemper
