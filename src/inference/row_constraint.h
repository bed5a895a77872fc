#pragma once
// A proximity constraint on one row whose posterior has parameters of its own (Altosaar 2018, eq. 8). Where the
// row's objective rises along g at its parameters lambda, a step of size rho looks for the y with the greatest
//   U(y) = g . (y - lambda) - |y - lambda|^2 / (2 rho) - k sum_i d(f_i(y) - reference_i).
// Algorithm 2 takes the constraint linearly, y = lambda + rho (g - k sum_i d'(f_i(lambda) - reference_i) grad f_i);
// Algorithm 1 climbs U itself. Both leave (y - lambda) / rho in the place of g, so a step of gradient ascent of size
// rho ends at y, and the other rules of ascent take the way there for their gradient.

#include "inference/proximity_distance.h"
#include "models/real_storage.h"
#include "support/random_streams.h"

namespace vtemper {

/// The constraint on all rows of a step.
struct RowConstraint {
  const RowPosteriors& model;
  Statistic statistic;
  const ProximityDistancePart& distance;
  double magnitude;         ///< k
  double rate = 0;          ///< rho
  int64_t inner_steps = 0;  ///< of Algorithm 1; 0: Algorithm 2
  double noise = 0;         ///< standard deviation of what is added to lambda where Algorithm 1 starts
};

/// A place y with U and its gradient there, parameter by parameter: U is a sum over them.
struct RowPlace {
  RealStorage parameters;    ///< [row_length] y
  Array<double> statistics;  ///< [row_statistic_length] f(y)
  Array<double> slopes;      ///< [row_statistic_length] of f
  Array<double> value;       ///< [row_length] U
  Array<double> gradient;    ///< [row_length] of U
};

/// What a thread needs for a row.
struct RowScratch {
  Array<double> reference;  ///< [row_statistic_length]
  RowPlace here, next;
  Array<double> step;  ///< [row_length] sizes of the inner steps
  void shape(bool single, int64_t parameters, int64_t statistics);
};

/// A row before its step.
struct RowStart {
  RealArray values;         ///< [row_length] lambda
  RealArray gradient;       ///< [row_length] g
  const double* reference;  ///< [row_statistic_length]
};

/// U and its gradient at place.parameters.
void row_objective(const RowConstraint& constraint, const RowStart& row, RowPlace& place);

/// Climbs U by inner_steps steps from scratch.here.parameters, where it ends. Each parameter has its own step size,
/// rho / 2 at first: a step that would lower its part of U is not taken, and the next one is half as long; after one
/// that is taken it is twice as long, up to rho / 2.
void climb_row(const RowConstraint& constraint, const RowStart& row, RowScratch& scratch);

/// Puts (y - lambda) / rho in the place of the row's gradient. `statistics` [row_statistic_length] receives those at
/// lambda, which are the reference where row.reference is NULL: a row without a past. `random` draws the noise.
/// Returns the sum of the absolute values by which the gradient changes.
double constrain_row(const RowConstraint& constraint, RowStart row, RandomStream& random, double* statistics,
                     RowScratch& scratch);

}  // namespace vtemper
