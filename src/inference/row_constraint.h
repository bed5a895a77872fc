#pragma once
// A proximity constraint on one row with its own variational parameters (Altosaar 2018, eq. 8). With g the gradient
// of the row's objective at its parameters lambda, a step of size rho maximises over y
//   U(y) = g . (y - lambda) - |y - lambda|^2 / (2 rho) - k sum_i d(f_i(y) - reference_i).
// Algorithm 2 linearises the constraint, y = lambda + rho (g - k sum_i d'(f_i(lambda) - reference_i) grad f_i);
// Algorithm 1 maximises U itself. Both replace g by (y - lambda) / rho, so a gradient step of size rho ends at y, and
// other update rules use this as their gradient.

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
  double noise = 0;         ///< standard deviation of the noise added to the starting point of Algorithm 1
};

/// A point y with U and its gradient, parameter by parameter: U is a sum over parameters.
struct RowPlace {
  RealStorage parameters;    ///< [row_length] y
  Array<double> statistics;  ///< [row_statistic_length] f(y)
  Array<double> slopes;      ///< [row_length] slopes of f
  Array<double> value;       ///< [row_length] terms of U
  Array<double> gradient;    ///< [row_length] gradient of U
};

/// Workspace of one thread for a row.
struct RowScratch {
  Array<double> reference;  ///< [row_statistic_length]
  RowPlace here, next;
  Array<double> step;  ///< [row_length] sizes of the inner steps
  void shape(bool single, int64_t parameters, int64_t statistics);
};

/// A row before its update.
struct RowStart {
  RealArray values;         ///< [row_length] lambda
  RealArray gradient;       ///< [row_length] g
  const double* reference;  ///< [row_statistic_length]
};

/// U and its gradient at place.parameters.
void row_objective(const RowConstraint& constraint, const RowStart& row, RowPlace& place);

/// Maximises U by inner_steps steps from scratch.here.parameters, in place. Each parameter has its own step size,
/// initially rho / 2: a step that would lower its term of U is rejected and the step size halved; after an accepted
/// step it is doubled, up to rho / 2.
void climb_row(const RowConstraint& constraint, const RowStart& row, RowScratch& scratch);

/// Replaces the row's gradient by (y - lambda) / rho. `statistics` [row_statistic_length] receives those at lambda;
/// they are the reference if row.reference is NULL (a row without history). `random` draws the noise.
/// Returns the sum of absolute changes of the gradient.
double constrain_row(const RowConstraint& constraint, RowStart row, RandomStream& random, double* statistics,
                     RowScratch& scratch);

}  // namespace vtemper
