#pragma once
// The time of a run, which schedules read.

#include <algorithm>
#include <cstdint>

namespace vtemper {

/// Where a run stands. `steps_total` is 0 where its end is not known (rows are fed without max_passes).
struct Clock {
  int64_t iteration = 0;  ///< steps done
  double steps_per_pass = 1;
  int64_t steps_total = 0;
  bool full_steps = false;  ///< every step sees all rows and takes rho = 1
};

/// By default a run ends with plain steps at T = 1: a third of it, and at most so many. They are what the statistics
/// need to forget the hotter steps; more of them fit the rows too closely (tests/reproduce/README.md).
constexpr double plain_share = 1.0 / 3.0;
constexpr double longest_plain_end = 200;
/// Steps of annealing where the end of the run is not known (lda.md section 7).
constexpr double annealed_steps = 1500;

/// Steps of annealing by default.
inline double annealed_length(const Clock& clock) {
  if (clock.steps_total == 0) return annealed_steps;
  const double total = static_cast<double>(clock.steps_total);
  return total - std::min(plain_share * total, longest_plain_end);
}

}  // namespace vtemper
