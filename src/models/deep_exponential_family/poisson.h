#pragma once
// Poisson variables: draws by inversion, logarithms of factorials, entropy.

#include "support/random_streams.h"

namespace vtemper {

/// log n! for n >= 0, whole or not.
double log_factorial(double n);

/// `count` draws of Poisson(rate) by inversion, each of one uniform number of the stream. 0 < rate <= largest_rate.
template <class Real>
void poisson_draws(double rate, RandomStream& random, int64_t count, Real* out);

/// Beyond it a draw would be no exact whole number in float or take its time.
constexpr double largest_rate = 1e7;

struct PoissonEntropy {
  double value;
  double slope;  ///< derivative with respect to the rate
};
PoissonEntropy poisson_entropy(double rate);

}  // namespace vtemper
