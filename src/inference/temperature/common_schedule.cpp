#include <algorithm>
#include <cmath>

#include "inference/temperature_options.h"

namespace vtemper {

OptionTable schedule_options() {
  return {
      {"temperature_start", VTEMPER_OPTION_REAL, "auto", 1, 1e15, "",
       "Temperature of the first step; auto: the highest at which the model's components stay distinct; for models "
       "fitted by gradients the magnitude of a row's objective at the start."},
      {"temperature_passes", VTEMPER_OPTION_REAL, "auto", 0, 1e12, "",
       "Passes over all rows until T = 1; auto: all but the last third of the run, at most its last 200 steps, and "
       "no more than the model's own where a step sees all rows; for models fitted by gradients a tenth of the run; "
       "where rows are fed without max_passes, one pass over rows_total is expected."},
      {"temperature_steps", VTEMPER_OPTION_REAL, "auto", 0, 1e15, "",
       "Steps until T = 1; overrides temperature_passes; auto: as many as temperature_passes makes."},
      {"temperature_shape", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto linear exponential",
       "Whether T or log T falls linearly; auto: the model's own."},
  };
}

TemperatureSchedule::TemperatureSchedule(const OptionValues& values, double default_steps)
    : given_start_(values.is_auto("temperature_start") ? 0 : values.real("temperature_start")),
      start_(given_start_),
      linear_(values.used("temperature_shape") == "linear"),
      default_steps_(default_steps) {
  if (!values.is_auto("temperature_steps")) steps_ = values.real("temperature_steps");
  if (!values.is_auto("temperature_passes")) {
    passes_ = values.real("temperature_passes");
  }
}

double TemperatureSchedule::length(const Clock& clock) const {
  if (steps_ >= 0) return steps_;
  if (passes_ >= 0) return passes_ * clock.steps_per_pass;
  const double annealed = clock.annealed_length();
  if (share_ > 0 && clock.steps_total > 0) {
    return std::min(share_ * static_cast<double>(clock.steps_total), annealed);
  }
  const bool of_model = clock.full_steps && default_steps_ > 0;
  return of_model ? std::min(default_steps_, annealed) : annealed;
}

double TemperatureSchedule::done(const Clock& clock) const {
  if (!clock.planned || steps_ >= 0 || passes_ >= 0) return clock.share_of(length(clock));
  if (share_ > 0) return std::max(clock.planned->run / share_, clock.annealed_share());
  const bool of_model = clock.full_steps && default_steps_ > 0;
  return of_model ? std::max(clock.share_of(default_steps_), clock.annealed_share()) : clock.annealed_share();
}

double TemperatureSchedule::start_of(const Clock& clock) const {
  return clock.reheated && reheat_ > 0 ? reheat_ : first_start_of(clock);
}

double TemperatureSchedule::first_start_of(const Clock& clock) const {
  // A run with a time budget may turn out to have few steps, and T must not rise after the first one.
  if (clock.planned && clock.steps_total == 0) return std::max(brief_start_, start_);
  return brief_start_ > 0 && length(clock) <= brief_passes * clock.steps_per_pass ? brief_start_ : start_;
}

void TemperatureSchedule::report_used(OptionValues& used, const Clock& clock) const {
  const double steps = length(clock);
  used.use("temperature_steps", steps);
  used.use("temperature_passes", steps / clock.steps_per_pass);
  if (start_ > 0) used.use("temperature_start", first_start_of(clock));
}

bool TemperatureSchedule::finished(const Clock& clock) const {
  // A run from T = 1 on is plain variational inference, which may converge at any step.
  const bool is_plain = start_ == 1 && brief_start_ <= 1 && reheat_ <= 1;
  return is_plain || done(clock) >= 1;
}

double TemperatureSchedule::inverse(const Clock& clock) const {
  const double share = done(clock);
  if (share >= 1) return 1;
  const double hot = start_of(clock);
  const double inverse = linear_ ? 1 / (hot + (1 - hot) * share) : std::pow(hot, share - 1);
  // A new plan may have fewer passes and therefore a hotter start, but T must not rise.
  return clock.planned ? std::min(std::max(inverse, clock.last_inverse), 1.0) : inverse;
}

}  // namespace vtemper
