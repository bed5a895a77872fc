#pragma once
// Empirical Bayes for the strength of a Bernoulli mixture's prior (README.md section 6): the factor of its Beta
// parameters that maximises the bound, given the posteriors of the components.

#include "support/array.h"

namespace vtemper {

struct BernoulliPosterior;

/// Limits of the learned strength.
constexpr double least_strength = 0.1, most_strength = 1e12;

/// theta_kd ~ Beta(c ones_d, c zeros_d).
struct BetaPrior {
  Array<double> ones, zeros;  ///< [D] b1, b0
  double strength = 1;        ///< c; 1 unless learned
};

/// Workspace of best_strength: functions of c b1, c b0 and c (b1 + b0) in every column.
struct StrengthWork {
  Array<double> arguments, digammas, trigammas;  ///< [3 D]
  void reserve(size_t columns);
};

/// The c that maximises the bound, within the limits and at most `largest`, or the present one if the components'
/// logarithms are not finite. Allocates nothing after `work.reserve`.
double best_strength(const BetaPrior& prior, const BernoulliPosterior& posterior, double largest, StrengthWork& work);

}  // namespace vtemper
