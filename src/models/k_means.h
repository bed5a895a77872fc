#pragma once
// K-means clustering of dense rows, from which mixtures start.

#include <cstdint>
#include <limits>
#include <vector>

#include "models/conjugate_model.h"

namespace vtemper {

/// Rows and their clusters.
struct Clusters {
  double weight = 0;       ///< total weight of the rows
  Array<int64_t> rows;     ///< row indices in the data
  Array<double> values;    ///< [D x rows], column-major, missing values replaced by the column mean
  Array<double> weights;   ///< [rows]
  Array<int32_t> cluster;  ///< [rows]
  Array<double> centres;   ///< [clusters x D]
  int64_t count() const { return static_cast<int64_t>(rows.size()); }
  Batch batch(const Data& data) const { return {&data, rows.data(), 0, count()}; }
};

struct ClusterSettings {
  int64_t clusters;
  const std::vector<double>& means;  ///< [D] of the columns, used for missing values
  int64_t max_rows;                  ///< maximum size of the random sample, but never fewer than 100 per cluster
  uint64_t seed;
  int rounds;  ///< maximum number of Lloyd's iterations
};

/// Greedy k-means++ (Arthur and Vassilvitskii 2007: each centre is the best of a few rows drawn with probability
/// proportional to their squared distance from the centres so far), then Lloyd's iterations. Uses all rows or, if
/// there are many, a random sample, the same for every `attempt`. Clusters may be empty if there are fewer distinct
/// rows than clusters. Depends on the arguments only.
/// @param units  [D] factors of the columns' differences
Clusters k_means(const Data& data, const ClusterSettings& settings, const std::vector<double>& units,
                 uint64_t attempt);

/// Starts a mixture from the best of several clusterings. Each attempt begins with the original model, which
/// take(clusters, attempt, step) then changes; `step` is a full step on the clustered rows. The best attempt is the
/// one with the largest bound, scaled to all rows, whose total weight is `weight`. If no row has positive weight,
/// nothing is changed.
/// @param units  two candidates, used in turn: which is better depends on whether columns are comparable
template <class M, class W, class Take>
void start_from_best(const Data& data, double weight, const ClusterSettings& settings,
                     const std::vector<double> (&units)[2], uint64_t attempts, M& model, W& work, const Take& take) {
  const M before = model;
  M best = model;
  double best_bound = -std::numeric_limits<double>::infinity();
  LocalSettings of_bound;
  of_bound.statistics = false;
  of_bound.bound = true;
  for (uint64_t attempt = 0; attempt < attempts; ++attempt) {
    const Clusters clusters = k_means(data, settings, units[attempt % 2], attempt);
    if (!(clusters.weight > 0)) return;
    GlobalStep step;
    step.scale = weight / clusters.weight;
    model = before;
    take(clusters, attempt, step);
    const LocalSums sums = model.local_step(clusters.batch(data), LocalTemperature{}, of_bound, work);
    const double bound = step.scale * sums.bound + model.global_bound(PriorPower{});
    if (attempt > 0 && !(bound > best_bound)) continue;
    best = model;
    best_bound = bound;
  }
  model = std::move(best);
}

}  // namespace vtemper
