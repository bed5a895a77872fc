#pragma once
// Empirical Bayes for the prior of a Gaussian mixture (README.md section 6): the maximum of the bound over V = W0^-1,
// nu0, m0 and b0 (or the scale of P0), given the posteriors of the components.

#include <optional>

#include "linalg/eigenvectors.h"
#include "models/gaussian_mixture/components.h"
#include "models/gaussian_mixture/prior.h"

namespace vtemper {

/// The prior is kept within these limits, which depend on the options and the data alone.
struct PriorLimits {
  /// V is at least this multiple of V under the prior at the start: the bound has no maximum if a component's rows
  /// repeat a value.
  static constexpr double min_inverse_scale = 1e-6;
  static constexpr double min_mean_scale = 1e-12;
  static constexpr double largest_mean_scale = 1e12;
  double min_dof, largest_dof;          ///< from D (or as set by the options) to D + the number of rows
  const MixturePrior* start = nullptr;  ///< the prior of the options
};

/// Workspace of learn_prior, for matrices of `columns` columns.
class PriorWork {
 public:
  PriorWork() = default;
  void reserve(int64_t columns);

  MixturePrior prior;  ///< of the prepared step

  Array<double> precision, factor, inverse, trial;  ///< [D x D]
  Array<double> shift, arguments;                   ///< [D]
  linalg::DefiniteWork definite;
  std::optional<linalg::Eigenvectors> solver;  ///< cannot be copied before it is used
};

/// Changes m0, b0 (or P0), nu0 and V of `prior` to those that maximise the bound. Leaves V and nu0, or m0 and b0, as
/// they are if the sums of the components' precisions leave the range of a double.
void learn_prior(const Components& components, const PriorLimits& limits, PriorWork& work, MixturePrior& prior);

/// Changes nu0 and V = (nu0 - D - 1) C of `prior` to those that maximise the bound, with C of the prior at the start.
void learn_strength(const Components& components, const PriorLimits& limits, PriorWork& work, MixturePrior& prior);

}  // namespace vtemper
