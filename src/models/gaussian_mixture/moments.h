#pragma once
// Mean and covariances of the data, which determine the default prior of a Gaussian mixture and its random starts.

#include <cstdint>
#include <vector>

#include "data/data.h"

namespace vtemper {

/// Mean [D] and covariance [D x D] of the data, from the observed values, weighted by row. The covariance is positive
/// definite: constant columns get the mean variance of the others (1 if all are constant), and if it is singular
/// (collinear columns) correlations are shrunk by the smallest sufficient of 1, 10, 50 and 100 percent; those of few
/// rows at least by the estimate of Schaefer and Strimmer 2005.
struct Moments {
  std::vector<double> mean;
  std::vector<double> covariance;
  double weight = 0;           ///< of all rows
  std::vector<double> within;  ///< covariance within clusters [D x D] where the default prior is made of it, or empty
};

/// Whether there are at most four rows per column, for more than 20 columns 3 D + 20: too few to learn the shape of a
/// prior from (README.md section 6). False if the weight of the rows is not known.
bool has_few_rows(const Moments& moments);

/// `within` is computed of few rows, if they are more than 12 and `clusters` more than one: the mean product of the
/// rows' differences from the centres of so many clusters, and of the covariance of all rows the share of the freedom
/// that the centres take, one row each; correlations are shrunk as those of all rows. Empty also if no row of the
/// sample that is clustered has weight. Error(DATA) for data without rows or columns, columns without observed
/// values, and values whose squares overflow.
Moments moments_of(const Data& data, int64_t clusters);

}  // namespace vtemper
