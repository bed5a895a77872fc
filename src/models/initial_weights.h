#pragma once
// Initial weights [in x units] of a fully connected layer.

#include <cstdint>

#include "support/random_streams.h"

namespace vtemper {

enum class InitialWeights {
  glorot,            ///< uniform within sqrt(6 / (in + units)) of 0 (Glorot and Bengio 2010)
  truncated_normal,  ///< normal with standard deviation sqrt(1.3 * 4 / in), truncated at two standard deviations
  orthogonal,        ///< orthonormal columns, or rows if there are fewer rows (Saxe 2013)
};

template <class Real>
void draw_weights(InitialWeights start, int64_t in, int64_t units, RandomStream& random, Real* out);

}  // namespace vtemper
