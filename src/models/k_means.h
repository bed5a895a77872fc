#pragma once
// K-means clustering of dense rows, from which mixtures start.

#include <cstdint>
#include <limits>
#include <vector>

#include "data/data.h"
#include "support/array.h"

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
};

struct ClusterSettings {
  int64_t clusters;
  const std::vector<double>& means;  ///< [D] of the columns, which take the place of missing values
  /// [D] by which the columns' differences are multiplied: two candidates, which attempts take in turn. Which is the
  /// better one depends on whether columns are comparable.
  const std::vector<double> (&units)[2];
  int64_t most_rows;  ///< that are used, at random, but never fewer than 100 a cluster
  uint64_t seed;
  int rounds;  ///< of Lloyd's iterations at most
};

/// Greedy k-means++ (Arthur and Vassilvitskii 2007: each centre is the best of a few rows drawn with probability
/// proportional to their squared distance from the centres so far), then Lloyd's iterations. Uses all rows or, if
/// there are many, a random sample, the same for every `attempt`. Clusters may be empty if there are fewer distinct
/// rows than clusters. Depends on the arguments only.
Clusters k_means(const Data& data, const ClusterSettings& settings, uint64_t attempt);

/// Starts a model from the best of several clusterings. For each attempt `globals`, the parameters of the model, are
/// set to what they were before; start(clusters, attempt) then changes them and returns the bound of all rows.
/// Without rows of positive weight nothing is changed.
template <class Globals, class Start>
void start_from_best(const Data& data, const ClusterSettings& settings, uint64_t attempts, Globals& globals,
                     const Start& start) {
  const Globals before = globals;
  Globals best = globals;
  double best_bound = -std::numeric_limits<double>::infinity();
  for (uint64_t attempt = 0; attempt < attempts; ++attempt) {
    const Clusters clusters = k_means(data, settings, attempt);
    if (!(clusters.weight > 0)) return;
    globals = before;
    const double bound = start(clusters, attempt);
    if (attempt > 0 && !(bound > best_bound)) continue;
    best = globals;
    best_bound = bound;
  }
  globals = std::move(best);
}

}  // namespace vtemper
