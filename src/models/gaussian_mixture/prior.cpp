#include "models/gaussian_mixture/prior.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/dispatch.h"
#include "linalg/definite.h"
#include "models/dense_rows.h"
#include "models/gaussian_mixture/kernels.h"
#include "support/array.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/text.h"

namespace vtemper {

namespace {

/// Standard deviations beyond these limits over- or underflow when squared, inverted and summed over columns.
constexpr double smallest_deviation = 1e-100;
constexpr double largest_deviation = 1e100;
/// Smallest pivot of the correlation matrix: the share of a column's variance not explained by the preceding columns.
constexpr double min_pivot = 1e-8;

/// Summary of the observed values of each column, weighted by row.
struct ColumnSummary {
  std::vector<double> mean, largest;  ///< mean, and largest absolute value
};

ColumnSummary summary_of(const Data& data) {
  const size_t columns = static_cast<size_t>(data.columns());
  ColumnSummary summary = {std::vector<double>(columns), std::vector<double>(columns)};
  std::vector<double> weights(columns);
  for_each_value(data, [&](int64_t, double weight, size_t j, double value) {
    weights[j] += weight;
    summary.mean[j] += weight * (value - summary.mean[j]) / weights[j];
    summary.largest[j] = std::max(summary.largest[j], std::abs(value));
  });
  for (size_t j = 0; j < columns; ++j) {
    if (!(weights[j] > 0)) {
      throw Error(VTEMPER_ERROR_DATA,
                  message("column ", static_cast<int64_t>(j), " has no value in any row of positive weight"));
    }
  }
  return summary;
}

/// Sums of products of differences from the mean, over rows in which both values are observed, and the weights
/// of those rows.
struct Products {
  int64_t stride = 0;
  Array<double> differences, weights;  ///< [stride x stride], lower triangles

  /// Covariance of columns i and j, j <= i; 0 if no row has both values.
  double covariance(int64_t i, int64_t j) const {
    const size_t place = static_cast<size_t>(i * stride + j);
    return weights[place] > 0 ? differences[place] / weights[place] : 0.0;
  }
};

Products products_of(const Data& data, const std::vector<double>& mean) {
  const Dense& dense = data.dense();
  const int64_t columns = data.columns();
  const int64_t stride = kernels::padded(columns);
  const auto add = kernels::model_kernels<kernels::GaussianMixtureKernels>().add_row_products;
  Products products;
  products.stride = stride;
  for (Array<double>* matrix : {&products.differences, &products.weights}) {
    matrix->resize(static_cast<size_t>(stride * stride));
  }
  Array<double> differences(static_cast<size_t>(kernels::tile_rows * stride));
  Array<double> present(static_cast<size_t>(kernels::tile_rows * stride));
  Spare spare;
  for (int64_t first = 0; first < data.rows(); first += kernels::tile_rows) {
    require_not_interrupted();
    const int64_t count = std::min(kernels::tile_rows, data.rows() - first);
    for (int64_t i = 0; i < count; ++i) {
      const double root = std::sqrt(data.weight(first + i));
      const DenseRow values = dense.row(first + i, spare);
      for (int64_t j = 0; j < columns; ++j) {
        const double value = values[j];
        const size_t place = static_cast<size_t>(i * stride + j);
        present[place] = std::isnan(value) ? 0 : root;
        differences[place] = std::isnan(value) ? 0 : root * (value - mean[static_cast<size_t>(j)]);
      }
    }
    add(differences.data(), count, columns, stride, products.differences.data());
    add(present.data(), count, columns, stride, products.weights.data());
  }
  return products;
}

/// Standard deviations of the columns; 0 for constant columns.
std::vector<double> deviations_of(const Products& products, const std::vector<double>& largest) {
  std::vector<double> deviations(largest.size());
  for (size_t j = 0; j < deviations.size(); ++j) {
    const int64_t column = static_cast<int64_t>(j);
    double& deviation = deviations[j];
    deviation = std::sqrt(std::max(products.covariance(column, column), 0.0));
    // The rounding error of a constant column is not variation. Below 1e-150 squares underflow.
    const bool may_underflow = largest[j] > 0 && largest[j] < 1e-150;
    if (deviation <= 1e-14 * largest[j]) deviation = 0;
    if (deviation == 0 && !may_underflow) continue;
    if (!(deviation >= smallest_deviation && deviation <= largest_deviation)) {
      throw Error(VTEMPER_ERROR_DATA,
                  message("column ", column, " has the standard deviation ", deviation, "; it must lie between ",
                          smallest_deviation, " and ", largest_deviation, ", so use another unit"));
    }
  }
  return deviations;
}

bool is_definite(const std::vector<double>& correlation, int64_t n) {
  std::vector<double> factor = correlation;
  linalg::DefiniteWork work(n);
  if (!linalg::cholesky(factor.data(), n, work)) return false;
  return (linalg::square_of(factor.data(), n).diagonal().array().square() > min_pivot).all();
}

/// The share by which the correlations r of N rows are best shrunk towards 0 (Schaefer and Strimmer 2005, eq. 8): the
/// sum of their sampling variances, (1 - r^2)^2 / (N - 1) for normal data, over the sum of their squares.
double best_shrinkage(const Products& products, const std::vector<double>& deviations, double weight) {
  double squares = 0, variances = 0;
  for (size_t i = 0; i < deviations.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const double scale = deviations[i] * deviations[j];
      if (!(scale > 0)) continue;
      const double r = products.covariance(static_cast<int64_t>(i), static_cast<int64_t>(j)) / scale;
      squares += r * r;
      variances += (1 - r * r) * (1 - r * r);
    }
  }
  if (squares == 0) return 0;
  return weight > 1 ? std::min(variances / ((weight - 1) * squares), 1.0) : 1;
}

/// The correlations of the columns, lower triangle, shrunk by `least`, and until they are positive definite.
std::vector<double> shrunk_correlations(const Products& products, const std::vector<double>& deviations,
                                        double least) {
  const int64_t columns = static_cast<int64_t>(deviations.size());
  std::vector<double> correlations(deviations.size() * deviations.size());
  constexpr std::array<double, 5> shrinkage = {0, 0.01, 0.1, 0.5, 1};
  for (const double enough : shrinkage) {
    const double share = std::max(enough, least);
    for (int64_t i = 0; i < columns; ++i) {
      for (int64_t j = 0; j <= i; ++j) {
        const double scale = deviations[static_cast<size_t>(i)] * deviations[static_cast<size_t>(j)];
        double& correlation = correlations[static_cast<size_t>(i * columns + j)];
        correlation = scale > 0 ? (1 - share) * products.covariance(i, j) / scale : 0;
        if (i == j) correlation = 1;
      }
    }
    if (is_definite(correlations, columns)) break;
  }
  return correlations;
}

/// Constant columns get the mean variance of the others; 1 if all are constant.
void replace_zero_deviations(std::vector<double>& deviations) {
  double variances = 0;
  int64_t varying = 0;
  for (const double deviation : deviations) {
    if (deviation == 0) continue;
    variances += deviation * deviation;
    ++varying;
  }
  const double mean_variance = varying > 0 ? variances / static_cast<double>(varying) : 1;
  for (double& deviation : deviations) deviation = deviation > 0 ? deviation : std::sqrt(mean_variance);
}

/// S = diag(d) R diag(d), from the lower triangle of R.
std::vector<double> covariance_of(const std::vector<double>& deviations, const std::vector<double>& correlations) {
  const int64_t columns = static_cast<int64_t>(deviations.size());
  std::vector<double> covariance(correlations.size());
  const auto diagonal = linalg::vector_of(deviations.data(), columns).asDiagonal();
  linalg::MatrixMap all = linalg::square_of(covariance.data(), columns);
  all.triangularView<linalg::eigen::Lower>() = diagonal * linalg::square_of(correlations.data(), columns) * diagonal;
  all.triangularView<linalg::eigen::StrictlyUpper>() = all.transpose();
  return covariance;
}

void check_length(const std::vector<double>& values, const char* name, int64_t columns, bool matrix) {
  const int64_t length = static_cast<int64_t>(values.size());
  if (length <= 1 || length == columns || (matrix && length == columns * columns)) return;
  throw Error(VTEMPER_ERROR_OPTION,
              message("option ", name, " has ", length, " values; for ", columns, " columns it must have 1 or ",
                      columns, matrix ? message(" or ", columns * columns) : ""));
}

}  // namespace

bool has_few_rows(const Moments& moments) {
  constexpr double few = 3;  // per column
  return moments.weight > 0 && moments.weight <= few * static_cast<double>(moments.mean.size());
}

Moments moments_of(const Data& data) {
  require_not_empty(data);
  ColumnSummary summary = summary_of(data);
  const Products products = products_of(data, summary.mean);
  std::vector<double> deviations = deviations_of(products, summary.largest);
  Moments moments = {std::move(summary.mean), {}, data_weight(data)};
  const double least = has_few_rows(moments) ? best_shrinkage(products, deviations, moments.weight) : 0;
  const std::vector<double> correlations = shrunk_correlations(products, deviations, least);
  replace_zero_deviations(deviations);
  moments.covariance = covariance_of(deviations, correlations);
  return moments;
}

std::vector<double> default_covariance(const Moments& moments, int64_t components, double dof) {
  const double columns = static_cast<double>(moments.mean.size());
  double share = 1 / dof;
  if (has_few_rows(moments)) share = std::max(share, std::min(columns / moments.weight, 1.0));
  share /= std::pow(static_cast<double>(components), 2 / columns);
  std::vector<double> covariance = moments.covariance;
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
  prior.dof = settings.dof_prior > 0 ? settings.dof_prior : static_cast<double>(columns);
  if (!(prior.dof > static_cast<double>(columns - 1))) {
    throw Error(VTEMPER_ERROR_OPTION, message("option dof_prior is ", prior.dof, "; for ", columns,
                                              " columns it must be greater than ", columns - 1));
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
