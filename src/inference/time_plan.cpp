#include "inference/time_plan.h"

#include <algorithm>
#include <cmath>

namespace vtemper {

namespace {

/// The speed is measured over at least this many first steps and this share of the time, all at the start
/// temperature.
constexpr double measured_steps = 3;
constexpr double measured_share = 0.02;
/// Time constant of the moving average of the pace, as a share of the time budget.
constexpr double pace_share = 0.05;
constexpr double max_steps = 1e15;
/// A later cooling of less than this share of its usual length is skipped; the previous one is extended instead.
constexpr double min_cooling = 0.5;

}  // namespace

double TimePlan::closing_steps() const {
  return steps_ > 0 ? std::min(closing_, closing_share * seconds_ / pace()) : closing_;
}

double TimePlan::affordable_steps() const {
  return (seconds_ - spent_) / pace() - closing_steps();
}

double TimePlan::steps_left() const {
  const double affordable = affordable_steps();
  if (first_ == 0) return affordable;
  double length = wanted_;
  if (length == 0) {
    const double whole = steps_done() + affordable;
    length = whole < first_ + min_cooling * later_ ? whole : first_;
  }
  return std::min(affordable, length - steps_done());
}

/// At least one, because the last step is at T = 1 and the duration of a step is unknown before the first one.
int64_t TimePlan::steps_planned() const {
  return static_cast<int64_t>(std::clamp(std::round(steps_left()), 1.0, max_steps));
}

void TimePlan::plan(Clock& clock) const {
  clock.planned = shares_;
  if (first_ == 0) {
    clock.steps_total = steps_ > 0 ? clock.iteration + steps_planned() : 0;
    return;
  }
  // Before the first step only the usual length is known.
  const double left = steps_ > 0 ? static_cast<double>(steps_planned()) : std::max(1.0, first_);
  clock.planned->end = clock.iteration + static_cast<int64_t>(std::min(left, max_steps));
  if (later_ == 0) {
    clock.steps_total = clock.planned->end;
    return;
  }
  // The number of steps does not end the run: whether it continues is decided after each cooling (cool_again).
  const double affordable = steps_ > 0 ? std::clamp(std::round(affordable_steps()), 2.0, max_steps) : 0;
  clock.steps_total = affordable > 0 ? clock.iteration + static_cast<int64_t>(affordable) : 0;
}

bool TimePlan::end_with(double step_seconds) {
  const bool last = steps_ > 0 && steps_planned() == 1;
  const bool was_cold = shares_.annealed >= 1;
  // The first step includes preparing the run, so the average starts with the second one.
  const double kept = steps_ == 1 ? 0 : std::exp(-step_seconds / (pace_share * seconds_));
  // A clock that stands still must not give steps of zero duration.
  constexpr double min_seconds = 1e-9;
  paced_seconds_ = kept * paced_seconds_ + std::max(step_seconds, min_seconds);
  paced_steps_ = kept * paced_steps_ + 1;
  spent_ += step_seconds;
  steps_ += 1;
  if (last || (was_cold && steps_left() < 0.5)) return true;
  carry_forward();
  return false;
}

double TimePlan::later_seconds() const {
  return (spent_ - begun_) / std::max(1.0, steps_done()) * later_;
}

bool TimePlan::has_time_left() const {
  return first_ > 0 && later_ > 0 && affordable_steps() * pace() >= min_cooling * later_seconds();
}

bool TimePlan::cool_again() {
  if (!has_time_left()) return false;
  const double seconds = affordable_steps() * pace();
  const double cooling = later_seconds();
  wanted_ = std::max(1.0, later_ * seconds / cooling / std::max(1.0, std::round(seconds / cooling)));
  begun_ = spent_;
  const int64_t begin = static_cast<int64_t>(steps_);
  shares_ = PlannedShares{0, 0, 1, shares_.cooling + 1, begin, 0};
  return true;
}

void TimePlan::carry_forward() {
  const int64_t left = steps_planned();
  const double done = steps_done();
  // If the length of the cooling does not depend on the pace, there is no need to wait until the pace is known.
  const bool by_pace = first_ == 0 || (later_ == 0 && affordable_steps() < first_ - done);
  if (by_pace && (spent_ < measured_share * seconds_ || steps_ < measured_steps) && left > 3) return;
  const double total = done + static_cast<double>(left);
  const double annealed = annealed_length(static_cast<int64_t>(std::min(total, max_steps)));
  // The step just completed counts as one of the steps that were left.
  shares_.run += (1 - shares_.run) / static_cast<double>(left + 1);
  const double hot_left = annealed - done;
  shares_.annealed = hot_left > 0 ? shares_.annealed + (1 - shares_.annealed) / (hot_left + 1) : 1;
  shares_.hot = std::min(shares_.hot, annealed / total);
}

std::vector<double> TimePlan::state() const {
  return {spent_,
          steps_,
          paced_seconds_,
          paced_steps_,
          shares_.run,
          shares_.annealed,
          shares_.hot,
          begun_,
          wanted_,
          static_cast<double>(shares_.cooling),
          static_cast<double>(shares_.begin)};
}

bool TimePlan::restore(const std::vector<double>& state) {
  // Files from before there were several coolings have seven numbers.
  if (state.size() != 7 && state.size() != 11) return false;
  for (const double value : state) {
    if (!(value >= 0 && std::isfinite(value))) return false;
  }
  if (state[4] > 1 || state[5] > 1 || state[6] > 1) return false;
  if (state[1] > 0 && !(state[2] > 0 && state[3] > 0)) return false;
  const bool coolings = state.size() > 7;
  if (coolings &&
      !(state[1] <= max_steps && state[7] <= state[0] && state[9] <= state[10] && state[10] <= state[1])) {
    return false;
  }
  spent_ = state[0];
  steps_ = state[1];
  paced_seconds_ = state[2];
  paced_steps_ = state[3];
  shares_ = {state[4], state[5], state[6]};
  if (!coolings) return true;
  begun_ = state[7];
  wanted_ = state[8];
  shares_.cooling = static_cast<int64_t>(state[9]);
  shares_.begin = static_cast<int64_t>(state[10]);
  return true;
}

}  // namespace vtemper
