#pragma once
// Runs by time (option time): the number of remaining steps is re-estimated before every step from the pace of recent
// ones, and the schedules' shares are advanced accordingly,
//   share <- share + (1 - share) / (steps left in its phase),
// which equals t / length if the pace is steady, never decreases if it is not, and reaches 1 when the time is up.
// Times are passed in, so a plan does not read a clock.

#include <cstdint>
#include <vector>

#include "inference/clock.h"

namespace vtemper {

class TimePlan {
 public:
  /// A fit of `seconds`; `closing_steps`: the work after its last step, expressed in steps; it gets at most
  /// closing_share of the time.
  TimePlan(double seconds, double closing_steps) : seconds_(seconds), closing_(closing_steps) {}

  static constexpr double closing_share = 0.1;

  /// Time spent before the first step.
  void begin(double spent) { spent_ = spent; }
  /// Plans the next step: writes the shares and the number of steps to `clock`.
  void plan(Clock& clock) const;
  /// Records the duration of a planned step. True if the run ends with it.
  bool end_with(double step_seconds);

  double seconds_left() const { return seconds_ - spent_; }
  /// The work after the last step, expressed in steps.
  double closing_steps() const;

  // For checkpoints.
  std::vector<double> state() const;
  bool restore(const std::vector<double>& state);

 private:
  double seconds_, closing_;
  double spent_ = 0;
  double steps_ = 0;                            ///< completed steps
  double paced_seconds_ = 0, paced_steps_ = 0;  ///< of recent steps, exponentially weighted
  PlannedShares shares_;

  double pace() const { return paced_seconds_ / paced_steps_; }
  double steps_left() const;  ///< not rounded
  int64_t steps_planned() const;
  void carry_forward();
};

}  // namespace vtemper
