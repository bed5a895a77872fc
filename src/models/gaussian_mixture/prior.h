#pragma once
// The prior of a Gaussian mixture.

#include <cstdint>
#include <vector>

#include "models/gaussian_mixture/moments.h"

namespace vtemper {

/// Prior of the components: Lambda_k ~ Wishart(nu0, W0);
/// mu_k | Lambda_k ~ N(m0, (b0 Lambda_k)^-1) (normal_wishart) or mu_k ~ N(m0, P0^-1) (independent).
struct MixturePrior {
  std::vector<double> mean;            ///< m0 [D]
  double mean_scale = 1;               ///< b0
  std::vector<double> mean_precision;  ///< P0 [D x D]; independent only
  double dof = 0;                      ///< nu0
  std::vector<double> inverse_scale;   ///< W0^-1 [D x D]
  double log_mean_precision = 0;       ///< log |P0|
  double log_inverse_scale = 0;        ///< log |W0^-1|
};

/// What of the prior of means and precisions is fitted.
enum class PriorLearning {
  none,
  strength,  ///< nu0, with V = (nu0 - D - 1) C and C of the prior at the start
  all
};

/// The options of a Gaussian mixture that do not depend on data.
struct MixtureSettings {
  int64_t components;
  bool independent;
  bool k_means;                          ///< start from clusters of rows instead of random components
  std::vector<double> mean_prior;        ///< 0 (from the data), 1 or D
  double mean_precision_prior;           ///< b0, or P0 in units of the inverse covariance
  double dof_prior;                      ///< 0: D, or 2 D + 1 of few rows or to learn the strength
  PriorLearning learning;                ///< from the values here
  bool less_from_few;                    ///< few rows lower `learning` from all to the strength or none
  std::vector<double> covariance_prior;  ///< 0 (from the data), 1, D or D x D
};

/// Prior covariance of a component if none is given: that of one of K clusters that share the volume of the data
/// evenly, with the weight of one row (Fraley and Raftery 2007). Of few rows that which makes the covariance within
/// clusters the prior mean of a component's covariance, but at least a third of it.
std::vector<double> default_covariance(const Moments& moments, int64_t components, double dof);

/// Error(OPTION) for lists of the wrong length, a dof_prior that is not above D - 1 (D + 1 to learn the strength) and
/// a covariance_prior that is not positive definite.
MixturePrior make_prior(const MixtureSettings& settings, const Moments& moments);

/// Sets b0, and P0 to that of `start` times the ratio of b0 to that of `start`: P0 has the same bits whether b0 was
/// learned or read from a file.
void set_mean_scale(MixturePrior& prior, const MixturePrior& start, double mean_scale);

}  // namespace vtemper
