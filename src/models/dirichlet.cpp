#include "models/dirichlet.h"

#include <algorithm>

#include "kernels/dispatch.h"
#include "models/log_sum.h"

namespace vtemper {

void log_moments(const double* a, int64_t count, double s, double* out) {
  const auto log_gamma = kernels::instruction_set().double_precision.log_gamma;
  constexpr int64_t block = 512;
  double raised[block];
  for (int64_t first = 0; first < count; first += block) {
    const int64_t size = std::min(block, count - first);
    for (int64_t i = 0; i < size; ++i) raised[i] = a[first + i] + s;
    log_gamma(raised, raised, size);
    log_gamma(a + first, out + first, size);
    for (int64_t i = 0; i < size; ++i) out[first + i] = raised[i] - out[first + i];
  }
}

double log_beta(double a, double b) {
  double values[3] = {a, b, a + b};
  kernels::instruction_set().double_precision.log_gamma(values, values, 3);
  return values[0] + values[1] - values[2];
}

double log_binary_moments(const double* ones, const double* zeros, int64_t count, double s) {
  constexpr int64_t block = 256;
  double moments[3 * block];  // of ones, zeros and their sums
  double sum = 0;
  for (int64_t first = 0; first < count; first += block) {
    const int64_t size = std::min(block, count - first);
    double* of_zeros = moments + size;
    double* of_sums = of_zeros + size;
    for (int64_t i = 0; i < size; ++i) {
      moments[i] = ones[first + i];
      of_zeros[i] = zeros[first + i];
      of_sums[i] = moments[i] + of_zeros[i];
    }
    log_moments(moments, 3 * size, s, moments);
    for (int64_t i = 0; i < size; ++i) sum += log_sum(moments[i], of_zeros[i]) - of_sums[i];
  }
  return sum;
}

}  // namespace vtemper
