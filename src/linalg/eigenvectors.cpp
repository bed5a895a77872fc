#include "linalg/eigenvectors.h"

namespace vtemper::linalg {

void decompose(const double* a, int64_t n, Eigenvectors& result) {
  result.compute(square_of(a, n));
}

}  // namespace vtemper::linalg
