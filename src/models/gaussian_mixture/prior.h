#pragma once
// The prior of a Gaussian mixture, and the mean and covariance of the data that determine its defaults and random
// starts.

#include <cstdint>
#include <vector>

#include "data/data.h"
#include "support/options.h"

namespace vtemper {

/// Mean [D] and covariance [D x D] of the data, from the observed values, weighted by row. The covariance is positive
/// definite: constant columns get the mean variance of the others (1 if all are constant), and if it is singular
/// (collinear columns) correlations are shrunk by the smallest sufficient of 1, 10, 50 and 100 percent; those of few
/// rows at least by the estimate of Schaefer and Strimmer 2005.
struct Moments {
  std::vector<double> mean;
  std::vector<double> covariance;
  double weight = 0;  ///< of all rows
};

/// Whether there are at most three rows per column: too few to learn a prior from (README.md section 6). False if the
/// weight of the rows is not known.
bool has_few_rows(const Moments& moments);

/// Error(DATA) for data without rows or columns, columns without observed values, and values whose squares overflow.
Moments moments_of(const Data& data);

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

/// The options of a Gaussian mixture that do not depend on data.
struct MixtureSettings {
  int64_t components;
  bool independent;
  bool k_means;                          ///< start from clusters of rows instead of random components
  std::vector<double> mean_prior;        ///< 0 (from the data), 1 or D
  double mean_precision_prior;           ///< b0, or P0 in units of the inverse covariance
  double dof_prior;                      ///< 0: D
  bool learn_priors;                     ///< the prior of means and precisions is fitted, from the values here,
  bool learn_from_few;                   ///< also if there are few rows
  std::vector<double> covariance_prior;  ///< 0 (from the data), 1, D or D x D
};

/// Prior covariance of a component if none is given: that of one of K clusters that share the volume of the data
/// evenly, with the weight of one row (Fraley and Raftery 2007), or, of few rows N, of D columns, with that of D / N
/// of the dof, at most all.
std::vector<double> default_covariance(const Moments& moments, int64_t components, double dof);

/// Error(OPTION) for lists of the wrong length, a dof_prior that is not above D - 1 and a covariance_prior that is
/// not positive definite.
MixturePrior make_prior(const MixtureSettings& settings, const Moments& moments);

/// Sets b0, and P0 to that of `start` times the ratio of b0 to that of `start`: P0 has the same bits whether b0 was
/// learned or read from a file.
void set_mean_scale(MixturePrior& prior, const MixturePrior& start, double mean_scale);

}  // namespace vtemper
