#pragma once
// A step of a gradient model without a method: forward and backward in one call.

#include <vector>

#include "models/gradient_model.h"

namespace vtemper::test {

/// `forces`: those of a constraint on the statistics; empty: unconstrained.
inline GradientSums gradient_step(GradientFit& fit, const Batch& batch, GradientSettings settings,
                                  const std::vector<double>& forces = {}) {
  settings.constrained = !forces.empty();
  GradientSums sums = fit.forward(batch, settings);
  fit.backward(forces.empty() ? nullptr : forces.data(), sums);
  return sums;
}

}  // namespace vtemper::test
