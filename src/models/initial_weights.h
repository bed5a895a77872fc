#pragma once
// Starts of the weights [in x units] of a fully connected layer.

#include <cstdint>

#include "support/random_streams.h"

namespace vtemper {

enum class InitialWeights {
  glorot,            ///< uniform within sqrt(6 / (in + units)) of 0 (Glorot and Bengio 2010)
  truncated_normal,  ///< normal within two standard deviations, of deviation sqrt(1.3 * 4 / in) before the cut
  orthogonal,        ///< orthonormal columns, or rows where there are fewer of them (Saxe 2013)
};

template <class Real>
void draw_weights(InitialWeights start, int64_t in, int64_t units, RandomStream& random, Real* out);

}  // namespace vtemper
