#pragma once
// Runs by time (option time): the number of remaining steps is re-estimated before every step from the pace of recent
// ones, and the schedules' shares are advanced accordingly,
//   share <- share + (1 - share) / (steps left in its phase),
// which equals t / length if the pace is steady, never decreases if it is not, and reaches 1 when the time is up.
// If more passes of one cooling would not help, the time is divided into several coolings (README.md section 7): the
// first is as long as a run without option time, the others divide the remaining time, and none of them is shorter
// than half its usual length. If more than a number of steps would overfit, the run is a single cooling of at most
// that many, and ends before its time. Times are passed in, so a plan does not read a clock.

#include <cstdint>
#include <vector>

#include "inference/clock.h"

namespace vtemper {

class TimePlan {
 public:
  /// For a fit of `seconds`. `closing_steps`: the work after its last step, expressed in steps; it gets at most
  /// closing_share of the time. `first_steps`: length of the first cooling; 0: the run is a single cooling of any
  /// length. `later_steps`: approximate length of the other coolings; 0: there are none.
  TimePlan(double seconds, double closing_steps, double first_steps = 0, double later_steps = 0)
      : seconds_(seconds), closing_(closing_steps), first_(first_steps), later_(later_steps) {}

  static constexpr double closing_share = 0.1;

  /// Time spent before the first step.
  void begin(double spent) { spent_ = spent; }
  /// The run is a single cooling of at most so many steps.
  void end_after(double steps) {
    first_ = steps;
    later_ = 0;
  }
  /// Plans the next step: writes the shares and the number of steps to `clock`.
  void plan(Clock& clock) const;
  /// Records the duration of a planned step. True if the current cooling ends with it.
  bool end_with(double step_seconds);
  /// After the end of a cooling: begins another one. False if there is no time for it; the run then ends.
  bool cool_again();
  /// At the end of a cooling: true if there is time for another one.
  bool has_time_left() const;

  double seconds_left() const { return seconds_ - spent_; }
  double seconds() const { return seconds_; }
  /// The work after the last step, expressed in steps.
  double closing_steps() const;

  // For checkpoints.
  std::vector<double> state() const;
  bool restore(const std::vector<double>& state);

 private:
  double seconds_, closing_, first_, later_;
  double spent_ = 0;
  double steps_ = 0;                            ///< completed steps
  double paced_seconds_ = 0, paced_steps_ = 0;  ///< of recent steps, exponentially weighted
  PlannedShares shares_;
  double begun_ = 0;   ///< spent_ when the current cooling began
  double wanted_ = 0;  ///< its number of steps; 0: that of the first cooling

  double pace() const { return paced_seconds_ / paced_steps_; }
  double steps_done() const { return steps_ - static_cast<double>(shares_.begin); }  ///< in the current cooling
  double affordable_steps() const;                                                   ///< until the time is up
  double steps_left() const;  ///< in the current cooling, not rounded
  int64_t steps_planned() const;
  double later_seconds() const;  ///< duration of another cooling at the current pace
  void carry_forward();
};

}  // namespace vtemper
