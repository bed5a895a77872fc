#pragma once
// K-means clustering for the start of a Gaussian mixture.

#include <cstdint>

#include "models/gaussian_mixture/prior.h"
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

/// Greedy k-means++ (Arthur and Vassilvitskii 2007: each centre is the best of a few rows drawn with probability
/// proportional to their squared distance from the centres so far), then Lloyd's iterations. Uses all rows or, if
/// there are many, a random sample, the same for every `attempt`. `scaled`: distances are in units of the columns'
/// standard deviations; otherwise in those of the data. Clusters may be empty if there are fewer distinct rows than
/// clusters. Depends on the arguments only.
Clusters k_means(const Data& data, const Moments& moments, int64_t clusters, bool scaled, uint64_t seed,
                 uint64_t attempt = 0);

}  // namespace vtemper
