#include "models/dirichlet.h"

#include <algorithm>

#include "kernels/dispatch.h"

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

}  // namespace vtemper
