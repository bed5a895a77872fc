// Start from clusters: one global step with each row assigned to a single component. The best of several clusterings,
// by the bound, is used.

#include <algorithm>
#include <cmath>

#include "models/gaussian_mixture/work.h"
#include "models/k_means.h"
#include "support/error.h"
#include "support/interruption.h"

namespace vtemper {

namespace {

/// Number of clusterings, by each of the two units of distance in turn.
constexpr uint64_t attempts = 4;
constexpr int64_t max_rows = 20000;
constexpr int rounds = 20;

/// One over the columns' standard deviations, or over the largest of them.
std::vector<double> units_of(const Moments& moments, bool own) {
  const size_t columns = moments.mean.size();
  double largest = 0;
  for (size_t j = 0; j < columns; ++j) largest = std::max(largest, moments.covariance[j * columns + j]);
  std::vector<double> units(columns);
  for (size_t j = 0; j < columns; ++j) {
    units[j] = 1 / std::sqrt(own ? moments.covariance[j * columns + j] : largest);
  }
  return units;
}

}  // namespace

/// Sets the component means to the cluster centres; statistics are then centred there.
void GaussianMixture::take_clusters(const Clusters& clusters, const GlobalStep& step, MixtureWork& work) {
  Components& components = *components_;
  const int64_t columns = components.columns(), stride = components.stride();
  Component component = components.component();
  for (int64_t k = 0; k < components.count(); ++k) {
    require_not_interrupted();
    components.read(k, component);
    std::copy_n(clusters.centres.data() + k * columns, columns, component.mean.data());
    if (!components.write(k, component)) {
      throw Error(VTEMPER_ERROR_NUMERIC,
                  "the start from clusters gave numbers that are not finite; scale the columns");
    }
    std::fill_n(work.statistics.data() + k * stride * stride, stride * stride, 0.0);
  }
  Array<double> difference(static_cast<size_t>(columns + 1));
  difference[static_cast<size_t>(columns)] = 1;
  for (int64_t i = 0; i < clusters.count(); ++i) {
    require_not_interrupted();
    const size_t row = static_cast<size_t>(i);
    const int64_t k = clusters.cluster[row];
    for (int64_t j = 0; j < columns; ++j) {
      difference[static_cast<size_t>(j)] =
          clusters.values[static_cast<size_t>(j * clusters.count() + i)] - components.mean(k)[j];
    }
    double* sums = work.statistics.data() + k * stride * stride;
    for (int64_t a = 0; a <= columns; ++a) {
      const double scaled = clusters.weights[row] * difference[static_cast<size_t>(a)];
      for (int64_t b = 0; b <= a; ++b) sums[a * stride + b] += scaled * difference[static_cast<size_t>(b)];
    }
  }
  prepare_components(work, step);  // under the prior of the options; steps of the fit learn it later
  std::swap(weights_, work.next_weights);
  std::swap(components, *work.next);
}

/// Requires that the components have been drawn at random.
void GaussianMixture::start_from_clusters(const Data& data, uint64_t seed) {
  MixtureWork work(*components_);
  const std::vector<double> units[2] = {units_of(moments_, true), units_of(moments_, false)};
  const ClusterSettings of_clusters = {count(), moments_.mean, max_rows, seed, rounds};
  const auto take = [&](const Clusters& clusters, uint64_t, const GlobalStep& step) {
    take_clusters(clusters, step, work);
  };
  start_from_best(data, moments_.weight, of_clusters, units, attempts, *this, work, take);
}

}  // namespace vtemper
