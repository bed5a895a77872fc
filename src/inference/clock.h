#pragma once
// The time of a run, which schedules read.

#include <algorithm>
#include <cstdint>
#include <optional>

namespace vtemper {

/// By default a run ends with plain steps at T = 1: a third of it, at most so many, and at least one. They are what
/// the statistics need to forget the hotter steps; more of them fit the rows too closely (tests/reproduce/README.md).
constexpr double plain_share = 1.0 / 3.0;
constexpr double longest_plain_end = 200;
/// Steps of annealing where the end of the run is not known (README.md section 7).
constexpr double annealed_steps = 1500;

/// Steps of annealing by default in a run of so many steps; 0: their number is not known.
inline double annealed_length(int64_t steps_total) {
  if (steps_total == 0) return annealed_steps;
  const double total = static_cast<double>(steps_total);
  return total - std::max(1.0, std::min(plain_share * total, longest_plain_end));
}

/// How far a run by time has come. Its steps are planned anew before each of them (time_plan.h), so its shares are
/// carried forward instead of following from a number of steps: they never fall, whatever becomes of the plan.
struct PlannedShares {
  double run = 0;       ///< of the run
  double annealed = 0;  ///< of its annealing; 1: the plain end
  double hot = 1;       ///< part of the run that is annealing, the least that was planned
};

/// Where a run stands. `steps_total` is 0 where its end is not known (rows are fed without max_passes); that of a run
/// by time is the present plan's.
struct Clock {
  int64_t iteration = 0;  ///< steps done
  double steps_per_pass = 1;
  int64_t steps_total = 0;
  bool full_steps = false;               ///< every step sees all rows and takes rho = 1
  std::optional<PlannedShares> planned;  ///< of a run by time
  double last_inverse = 0;               ///< of a run by time: inverse temperature of the last step

  /// Share of `length` steps that is done; at least 1 from their end on.
  double share_of(double length) const {
    const double done = static_cast<double>(iteration);
    return done < length ? done / length : 1;
  }
  /// Share of the annealing by default that is done; 1 from the plain end on.
  double annealed_share() const { return planned ? planned->annealed : share_of(annealed_length(steps_total)); }
};

}  // namespace vtemper
