#pragma once
// The time of a run, which schedules read.

#include <cstdint>

namespace vtemper {

/// Where a run stands. `steps_total` is 0 where its end is not known (rows are fed without max_passes).
struct Clock {
  int64_t iteration = 0;  ///< steps done
  double steps_per_pass = 1;
  int64_t steps_total = 0;
  bool full_steps = false;  ///< every step sees all rows and takes rho = 1
};

/// Share of a run after which a temperature has reached 1 by default; the rest runs plain.
constexpr double annealed_share = 2.0 / 3.0;
/// Steps of annealing where the end of the run is not known (lda.md section 7).
constexpr double annealed_steps = 1500;

/// Steps of annealing by default.
inline double annealed_length(const Clock& clock) {
  return clock.steps_total > 0 ? annealed_share * static_cast<double>(clock.steps_total) : annealed_steps;
}

}  // namespace vtemper
