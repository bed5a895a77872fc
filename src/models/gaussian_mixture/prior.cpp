#include "models/gaussian_mixture/prior.h"

#include <algorithm>
#include <cmath>

#include "linalg/definite.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

void check_length(const std::vector<double>& values, const char* name, int64_t columns, bool matrix) {
  const int64_t length = static_cast<int64_t>(values.size());
  if (length <= 1 || length == columns || (matrix && length == columns * columns)) return;
  throw Error(VTEMPER_ERROR_OPTION,
              message("option ", name, " has ", counted(length, "value"), "; for ", counted(columns, "column"),
                      " it must have 1 or ", columns, matrix ? message(" or ", columns * columns) : ""));
}

}  // namespace

std::vector<double> default_covariance(const Moments& moments, int64_t components, double dof) {
  const double columns = static_cast<double>(moments.mean.size());
  std::vector<double> covariance = moments.within;
  double share = std::max((dof - columns - 1) / dof, 1.0 / 3);
  if (covariance.empty()) {
    covariance = moments.covariance;
    share = 1 / dof;
    if (has_few_rows(moments)) share = std::max(share, std::min(columns / moments.weight, 1.0));
    share /= std::pow(static_cast<double>(components), 2 / columns);
  }
  for (double& value : covariance) value *= share;
  return covariance;
}

MixturePrior make_prior(const MixtureSettings& settings, const Moments& moments) {
  const int64_t columns = static_cast<int64_t>(moments.mean.size());
  const size_t n = static_cast<size_t>(columns);
  check_length(settings.mean_prior, "mean_prior", columns, false);
  check_length(settings.covariance_prior, "covariance_prior", columns, true);
  MixturePrior prior;
  prior.mean = settings.mean_prior.empty() ? moments.mean : settings.mean_prior;
  prior.mean.resize(n, prior.mean[0]);
  prior.mean_scale = settings.mean_precision_prior;
  const bool of_strength = settings.learning == PriorLearning::strength;
  const bool strong = of_strength || !moments.within.empty();
  prior.dof = settings.dof_prior > 0 ? settings.dof_prior : static_cast<double>(strong ? 2 * columns + 1 : columns);
  const int64_t limit = of_strength ? columns + 1 : columns - 1;
  if (!(prior.dof > static_cast<double>(limit))) {
    throw Error(VTEMPER_ERROR_OPTION,
                message("option dof_prior is ", prior.dof, "; for ", counted(columns, "column"),
                        of_strength ? " and learn_priors strength" : "", " it must be greater than ", limit));
  }

  std::vector<double> covariance = default_covariance(moments, settings.components, prior.dof);
  if (settings.covariance_prior.size() == n * n) {
    covariance = settings.covariance_prior;
  } else if (!settings.covariance_prior.empty()) {
    std::vector<double> variances = settings.covariance_prior;
    variances.resize(n, variances[0]);
    linalg::square_of(covariance.data(), columns) =
        linalg::vector_of(variances.data(), columns).asDiagonal().toDenseMatrix();
  }
  const bool is_symmetric = linalg::asymmetric_element(covariance.data(), columns) < 0;
  linalg::make_symmetric(covariance.data(), columns);
  std::vector<double> factor = covariance;
  linalg::DefiniteWork work(columns);
  if (!is_symmetric || !linalg::cholesky(factor.data(), columns, work)) {
    throw Error(VTEMPER_ERROR_OPTION, "option covariance_prior is not a symmetric, positive definite matrix");
  }
  // E Lambda = nu0 W0 is the inverse of the covariance.
  prior.inverse_scale = covariance;
  for (double& value : prior.inverse_scale) value *= prior.dof;
  prior.log_inverse_scale =
      linalg::log_determinant(factor.data(), columns) + static_cast<double>(columns) * std::log(prior.dof);
  if (settings.independent) {
    const Array<double> inverse = linalg::inverse_of(moments.covariance.data(), columns, factor.data());
    prior.mean_precision.assign(inverse.begin(), inverse.end());
    for (double& value : prior.mean_precision) value *= settings.mean_precision_prior;
    prior.log_mean_precision = static_cast<double>(columns) * std::log(settings.mean_precision_prior) -
                               linalg::log_determinant(factor.data(), columns);
  }
  return prior;
}

void set_mean_scale(MixturePrior& prior, const MixturePrior& start, double mean_scale) {
  const double ratio = mean_scale / start.mean_scale;
  prior.mean_scale = mean_scale;
  if (start.mean_precision.empty()) return;
  for (size_t i = 0; i < start.mean_precision.size(); ++i) prior.mean_precision[i] = ratio * start.mean_precision[i];
  prior.log_mean_precision = start.log_mean_precision + static_cast<double>(start.mean.size()) * std::log(ratio);
}

}  // namespace vtemper
