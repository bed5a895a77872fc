#pragma once
// Runs by time (option time): how many steps are left is estimated before every step from the pace of the last ones,
// and the schedules' shares are carried forward by it,
//   share <- share + (1 - share) / (steps left of its stretch),
// which is t / length where the pace is steady, never falls where it is not, and reaches 1 when the time is up. All
// times are handed in, so a plan depends on no clock.

#include <cstdint>
#include <vector>

#include "inference/clock.h"

namespace vtemper {

class TimePlan {
 public:
  /// A fit of `seconds`; `closing_steps`: what follows its last step, in the time of as many steps, and gets
  /// closing_share of the time at most.
  TimePlan(double seconds, double closing_steps) : seconds_(seconds), closing_(closing_steps) {}

  static constexpr double closing_share = 0.1;

  /// Time that passed before the first step.
  void begin(double spent) { spent_ = spent; }
  /// Plans the next step: `clock` takes the shares and the number of steps.
  void plan(Clock& clock) const;
  /// A step, planned before, took so long. True where the run ends with it.
  bool end_with(double step_seconds);

  double seconds_left() const { return seconds_ - spent_; }
  /// What follows the last step, in the time of as many steps.
  double closing_steps() const;

  // For checkpoints.
  std::vector<double> state() const;
  bool restore(const std::vector<double>& state);

 private:
  double seconds_, closing_;
  double spent_ = 0;
  double steps_ = 0;                            ///< done
  double paced_seconds_ = 0, paced_steps_ = 0;  ///< of the last steps; older ones fade
  PlannedShares shares_;

  double pace() const { return paced_seconds_ / paced_steps_; }
  double steps_left() const;  ///< not rounded
  int64_t steps_planned() const;
  void carry_forward();
};

}  // namespace vtemper
