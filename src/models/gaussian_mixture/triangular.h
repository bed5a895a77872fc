#pragma once
// Symmetric positive definite matrices [n x n], row-major, by their Cholesky factors. Only lower triangles are read.

#include <cstdint>

namespace vtemper {

/// a = L L' in place (lower triangle). False where a is not positive definite; a is then not usable.
bool cholesky(double* a, int64_t n);

/// log |L L'|.
double log_determinant(const double* factor, int64_t n);

/// Row j of `columns` is column j of L^-1: columns_ji = (L^-1)_ij for i >= j, 0 before.
void invert_factor(const double* factor, int64_t n, double* columns);

/// (L L')^-1 = L^-T L^-1, both triangles, from the columns of L^-1.
void inverse_from_columns(const double* columns, int64_t n, double* inverse);

/// L^-1 in the packed form of the kernels (kernels::packed_factor_size).
void pack_factor(const double* columns, int64_t n, double* packed);

/// |A x|^2 of a packed A.
double squared_length(const double* packed, int64_t n, const double* x);

/// x <- (L L')^-1 x.
void solve(const double* factor, int64_t n, double* x);

/// The lower triangle becomes the upper one's mirror image.
void symmetrize(double* a, int64_t n);

}  // namespace vtemper
