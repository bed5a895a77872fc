#include "models/gaussian_mixture/packed_factor.h"

#include <algorithm>

#include "models/gaussian_mixture/kernels.h"

namespace vtemper {

void pack_factor(const double* a, int64_t n, double* packed) {
  std::fill_n(packed, kernels::packed_factor_size(n), 0.0);
  for (int64_t first = 0; first < n; first += kernels::factor_block) {
    const int64_t end = std::min(first + kernels::factor_block, n);
    for (int64_t i = first; i < end; ++i) {
      for (int64_t j = 0; j <= i; ++j) packed[j * kernels::factor_block + i - first] = a[i * n + j];
    }
    packed += (first + kernels::factor_block) * kernels::factor_block;
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

}  // namespace vtemper
