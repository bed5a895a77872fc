#pragma once
// Poisson variables: sampling by inversion, log factorials, entropy.

#include "support/random_streams.h"

namespace vtemper {

/// log n! for real n >= 0.
double log_factorial(double n);

/// `count` draws from Poisson(rate) by inversion, one uniform number of the stream each. 0 < rate <= largest_rate.
template <class Real>
void poisson_draws(double rate, RandomStream& random, int64_t count, Real* out);

/// Larger draws would not be exact integers in float, or would take too long.
constexpr double largest_rate = 1e7;

struct PoissonEntropy {
  double value;
  double slope;  ///< derivative with respect to the rate
};
PoissonEntropy poisson_entropy(double rate);

}  // namespace vtemper
