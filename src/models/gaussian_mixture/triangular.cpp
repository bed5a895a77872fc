#include "models/gaussian_mixture/triangular.h"

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"

namespace vtemper {

bool cholesky(double* a, int64_t n) {
  const auto dot = kernels::instruction_set().double_precision.dot;
  for (int64_t i = 0; i < n; ++i) {
    double* row = a + i * n;
    for (int64_t j = 0; j < i; ++j) row[j] = (row[j] - dot(row, a + j * n, j)) / a[j * n + j];
    const double pivot = row[i] - dot(row, row, i);
    if (!(pivot > 0)) return false;
    row[i] = std::sqrt(pivot);
  }
  return true;
}

double log_determinant(const double* factor, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += std::log(factor[i * n + i]);
  return 2 * sum;
}

void invert_factor(const double* factor, int64_t n, double* columns) {
  const auto dot = kernels::instruction_set().double_precision.dot;
  for (int64_t j = 0; j < n; ++j) {
    double* column = columns + j * n;
    std::fill_n(column, j, 0.0);
    column[j] = 1 / factor[j * n + j];
    for (int64_t i = j + 1; i < n; ++i) {
      column[i] = -dot(factor + i * n + j, column + j, i - j) / factor[i * n + i];
    }
  }
}

void inverse_from_columns(const double* columns, int64_t n, double* inverse) {
  const auto dot = kernels::instruction_set().double_precision.dot;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      inverse[i * n + j] = inverse[j * n + i] = dot(columns + i * n + i, columns + j * n + i, n - i);
    }
  }
}

void pack_factor(const double* columns, int64_t n, double* packed) {
  std::fill_n(packed, kernels::packed_factor_size(n), 0.0);
  for (int64_t first = 0; first < n; first += kernels::factor_block) {
    const int64_t end = std::min(first + kernels::factor_block, n);
    for (int64_t j = 0; j < first + kernels::factor_block; ++j, packed += kernels::factor_block) {
      for (int64_t i = first; i < end && j < n; ++i) packed[i - first] = i >= j ? columns[j * n + i] : 0;
    }
  }
}

double squared_length(const double* packed, int64_t n, const double* x) {
  double length = 0;
  for (int64_t first = 0; first < n; first += kernels::factor_block) {
    double sums[kernels::factor_block] = {};
    const int64_t end = std::min(first + kernels::factor_block, n);
    for (int64_t j = 0; j < end; ++j) {
      for (int64_t i = 0; i < kernels::factor_block; ++i) sums[i] += packed[j * kernels::factor_block + i] * x[j];
    }
    packed += (first + kernels::factor_block) * kernels::factor_block;
    for (const double sum : sums) length += sum * sum;
  }
  return length;
}

void solve(const double* factor, int64_t n, double* x) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < i; ++j) x[i] -= factor[i * n + j] * x[j];
    x[i] /= factor[i * n + i];
  }
  for (int64_t i = n - 1; i >= 0; --i) {
    x[i] /= factor[i * n + i];
    for (int64_t j = 0; j < i; ++j) x[j] -= factor[i * n + j] * x[i];
  }
}

void symmetrize(double* a, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < i; ++j) a[j * n + i] = a[i * n + j];
  }
}

}  // namespace vtemper
