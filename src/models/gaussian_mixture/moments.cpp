#include "models/gaussian_mixture/moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/dispatch.h"
#include "linalg/definite.h"
#include "models/dense_rows.h"
#include "models/gaussian_mixture/kernels.h"
#include "models/k_means.h"
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

/// Of rows row_of(i), i < `rows`, around centres centre_of(i).
template <class RowOf, class CentreOf>
Products products_of(const Data& data, int64_t rows, const RowOf& row_of, const CentreOf& centre_of) {
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
  for (int64_t first = 0; first < rows; first += kernels::tile_rows) {
    require_not_interrupted();
    const int64_t count = std::min(kernels::tile_rows, rows - first);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t row = row_of(first + i);
      const double* centre = centre_of(first + i);
      const double root = std::sqrt(data.weight(row));
      const DenseRow values = dense.row(row, spare);
      for (int64_t j = 0; j < columns; ++j) {
        const double value = values[j];
        const size_t place = static_cast<size_t>(i * stride + j);
        present[place] = std::isnan(value) ? 0 : root;
        differences[place] = std::isnan(value) ? 0 : root * (value - centre[j]);
      }
    }
    add(differences.data(), count, columns, stride, products.differences.data());
    add(present.data(), count, columns, stride, products.weights.data());
  }
  return products;
}

std::vector<double> root_of_variances(const Products& products, size_t columns) {
  std::vector<double> roots(columns);
  for (size_t j = 0; j < columns; ++j) {
    const int64_t column = static_cast<int64_t>(j);
    roots[j] = std::sqrt(std::max(products.covariance(column, column), 0.0));
  }
  return roots;
}

/// Standard deviations of the columns; 0 up to `rounding` times the largest absolute value: the rounding error of a
/// constant column is not variation.
std::vector<double> deviations_of(const Products& products, const std::vector<double>& largest, double rounding) {
  std::vector<double> deviations = root_of_variances(products, largest.size());
  for (size_t j = 0; j < deviations.size(); ++j) {
    if (deviations[j] <= rounding * largest[j]) deviations[j] = 0;
  }
  return deviations;
}

/// Error(DATA) if a column's deviation is beyond the limits; constant columns have none.
void require_within_limits(const std::vector<double>& deviations, const std::vector<double>& largest) {
  for (size_t j = 0; j < deviations.size(); ++j) {
    const double deviation = deviations[j];
    const bool may_underflow = largest[j] > 0 && largest[j] < 1e-150;  // squares underflow there
    if (deviation == 0 && !may_underflow) continue;
    if (!(deviation >= smallest_deviation && deviation <= largest_deviation)) {
      throw Error(VTEMPER_ERROR_DATA, message("column ", static_cast<int64_t>(j), " has the standard deviation ",
                                              deviation, "; it must lie between ", smallest_deviation, " and ",
                                              largest_deviation, ", so use another unit"));
    }
  }
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
  if (!(weight > 1)) return 1;
  return squares > 0 ? std::min(variances / ((weight - 1) * squares), 1.0) : 0;
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

/// Without the covariance within clusters.
Moments moments_of_all(const Data& data, const ColumnSummary& summary) {
  constexpr double rounding = 1e-14;
  const Products products = products_of(
      data, data.rows(), [](int64_t i) { return i; }, [&](int64_t) { return summary.mean.data(); });
  std::vector<double> deviations = deviations_of(products, summary.largest, rounding);
  require_within_limits(deviations, summary.largest);
  Moments moments = {summary.mean, {}, data_weight(data), {}};
  const double least = has_few_rows(moments) ? best_shrinkage(products, deviations, moments.weight) : 0;
  const std::vector<double> correlations = shrunk_correlations(products, deviations, least);
  replace_zero_deviations(deviations);
  moments.covariance = covariance_of(deviations, correlations);
  return moments;
}

/// Sum of the rows' squared distances from the centres of their clusters, by weight.
double spread_of(const Clusters& clusters, const std::vector<double>& units) {
  const size_t rows = static_cast<size_t>(clusters.count());
  double spread = 0;
  for (size_t j = 0; j < units.size(); ++j) {
    for (size_t i = 0; i < rows; ++i) {
      const double centre = clusters.centres[static_cast<size_t>(clusters.cluster[i]) * units.size() + j];
      const double difference = (clusters.values[j * rows + i] - centre) * units[j];
      spread += clusters.weights[i] * difference * difference;
    }
  }
  return spread;
}

/// The clusters of smallest spread in units of the columns' standard deviations. Their random numbers are always the
/// same: a prior depends on the options and the data alone.
Clusters closest_clusters(const Data& data, const Moments& moments, int64_t count) {
  constexpr uint64_t attempts = 8;
  constexpr int64_t max_rows = 20000;
  constexpr int rounds = 20;
  const size_t columns = moments.mean.size();
  std::vector<double> units(columns);
  for (size_t j = 0; j < columns; ++j) units[j] = 1 / std::sqrt(moments.covariance[j * columns + j]);
  const ClusterSettings settings = {count, moments.mean, max_rows, 0, rounds};
  Clusters closest;
  double least = std::numeric_limits<double>::infinity();
  for (uint64_t attempt = 0; attempt < attempts; ++attempt) {
    Clusters clusters = k_means(data, settings, units, attempt);
    const double spread = spread_of(clusters, units);
    if (attempt > 0 && !(spread < least)) continue;
    least = spread;
    closest = std::move(clusters);
  }
  return closest;
}

/// Number of clusters with rows of positive weight.
double centres_of(const Clusters& clusters, int64_t count) {
  std::vector<char> used(static_cast<size_t>(count));
  for (size_t i = 0; i < clusters.cluster.size(); ++i) {
    if (clusters.weights[i] > 0) used[static_cast<size_t>(clusters.cluster[i])] = 1;
  }
  return static_cast<double>(std::count(used.begin(), used.end(), 1));
}

/// [D x D]; empty if no row of the sample that is clustered has weight. `largest`: of the columns' absolute values.
std::vector<double> covariance_within_clusters(const Data& data, const Moments& moments,
                                               const std::vector<double>& largest, int64_t count) {
  const int64_t columns = data.columns();
  const Clusters clusters = closest_clusters(data, moments, count);
  if (!(clusters.weight > 0)) return {};
  const auto cluster_of = [&](int64_t i) { return clusters.cluster[static_cast<size_t>(i)]; };
  Products products = products_of(
      data, clusters.count(), [&](int64_t i) { return clusters.rows[static_cast<size_t>(i)]; },
      [&](int64_t i) { return clusters.centres.data() + cluster_of(i) * columns; });
  const double centres = centres_of(clusters, count);
  // Centres are sums over rows. With their rounding errors columns that are constant within clusters would correlate.
  const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(clusters.count());
  const double least =
      best_shrinkage(products, deviations_of(products, largest, rounding), clusters.weight - centres + 1);
  const double freedom = std::min(centres / clusters.weight, 1.0);  // of each row's, what the centres take
  for (int64_t i = 0; i < columns; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      const size_t place = static_cast<size_t>(i * products.stride + j);
      const double of_all = moments.covariance[static_cast<size_t>(i * columns + j)];
      products.differences[place] += freedom * products.weights[place] * of_all;
    }
  }
  std::vector<double> deviations = root_of_variances(products, moments.mean.size());
  const std::vector<double> correlations = shrunk_correlations(products, deviations, least);
  replace_zero_deviations(deviations);
  return covariance_of(deviations, correlations);
}

}  // namespace

bool has_few_rows(const Moments& moments) {
  const double columns = static_cast<double>(moments.mean.size());
  return moments.weight > 0 && moments.weight <= std::min(4 * columns, 3 * columns + 20);
}

Moments moments_of(const Data& data, int64_t clusters) {
  constexpr double too_few_for_clusters = 12;
  require_not_empty(data);
  const ColumnSummary summary = summary_of(data);
  Moments moments = moments_of_all(data, summary);
  if (has_few_rows(moments) && clusters > 1 && moments.weight > too_few_for_clusters) {
    moments.within = covariance_within_clusters(data, moments, summary.largest, clusters);
  }
  return moments;
}

}  // namespace vtemper
