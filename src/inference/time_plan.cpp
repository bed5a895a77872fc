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
constexpr double most_steps = 1e15;

}  // namespace

double TimePlan::closing_steps() const {
  return steps_ > 0 ? std::min(closing_, closing_share * seconds_ / pace()) : closing_;
}

double TimePlan::steps_left() const {
  return (seconds_ - spent_) / pace() - closing_steps();
}

/// At least one: the last step is at T = 1, and the duration of a step is unknown before the first one.
int64_t TimePlan::steps_planned() const {
  return static_cast<int64_t>(std::clamp(std::round(steps_left()), 1.0, most_steps));
}

void TimePlan::plan(Clock& clock) const {
  clock.planned = shares_;
  clock.steps_total = steps_ > 0 ? clock.iteration + steps_planned() : 0;
}

bool TimePlan::end_with(double step_seconds) {
  const bool last = steps_ > 0 && steps_planned() == 1;
  const bool was_cold = shares_.annealed >= 1;
  // The first step includes preparing the run, so the average starts with the second one.
  const double kept = steps_ == 1 ? 0 : std::exp(-step_seconds / (pace_share * seconds_));
  // A clock that stands still must not give steps of zero duration.
  constexpr double least_seconds = 1e-9;
  paced_seconds_ = kept * paced_seconds_ + std::max(step_seconds, least_seconds);
  paced_steps_ = kept * paced_steps_ + 1;
  spent_ += step_seconds;
  steps_ += 1;
  if (last || (was_cold && steps_left() < 0.5)) return true;
  carry_forward();
  return false;
}

void TimePlan::carry_forward() {
  const int64_t left = steps_planned();
  if ((spent_ < measured_share * seconds_ || steps_ < measured_steps) && left > 3) return;
  const double total = steps_ + static_cast<double>(left);
  const double annealed = annealed_length(static_cast<int64_t>(std::min(total, most_steps)));
  // The step just completed is one of those that were left.
  shares_.run += (1 - shares_.run) / static_cast<double>(left + 1);
  const double hot_left = annealed - steps_;
  shares_.annealed = hot_left > 0 ? shares_.annealed + (1 - shares_.annealed) / (hot_left + 1) : 1;
  shares_.hot = std::min(shares_.hot, annealed / total);
}

std::vector<double> TimePlan::state() const {
  return {spent_, steps_, paced_seconds_, paced_steps_, shares_.run, shares_.annealed, shares_.hot};
}

bool TimePlan::restore(const std::vector<double>& state) {
  if (state.size() != 7) return false;
  for (const double value : state) {
    if (!(value >= 0 && std::isfinite(value))) return false;
  }
  if (state[4] > 1 || state[5] > 1 || state[6] > 1) return false;
  if (state[1] > 0 && !(state[2] > 0 && state[3] > 0)) return false;
  spent_ = state[0];
  steps_ = state[1];
  paced_seconds_ = state[2];
  paced_steps_ = state[3];
  shares_ = {state[4], state[5], state[6]};
  return true;
}

}  // namespace vtemper
