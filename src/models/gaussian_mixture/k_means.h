#pragma once
// Where a Gaussian mixture starts: clusters of rows by k-means.

#include <cstdint>

#include "models/gaussian_mixture/prior.h"
#include "support/array.h"

namespace vtemper {

/// Rows and their clusters.
struct Clusters {
  double weight = 0;       ///< of the rows
  Array<int64_t> rows;     ///< numbers in the data
  Array<double> values;    ///< [D x rows], column by column, missing values replaced by the column's mean
  Array<double> weights;   ///< [rows]
  Array<int32_t> cluster;  ///< [rows]
  Array<double> centres;   ///< [clusters x D]
  int64_t count() const { return static_cast<int64_t>(rows.size()); }
};

/// Greedy k-means++ (Arthur and Vassilvitskii 2007: every centre is the best of a few rows drawn by their squared
/// distance from the centres so far), then Lloyd's rounds. All rows or, of many, a random sample, the same for every
/// `attempt`. `scaled`: distances are in units of the columns' standard deviations; else in those of the data.
/// Clusters may be empty where there are fewer different rows than clusters. Depends on the arguments alone.
Clusters k_means(const Data& data, const Moments& moments, int64_t clusters, bool scaled, uint64_t seed,
                 uint64_t attempt = 0);

}  // namespace vtemper
