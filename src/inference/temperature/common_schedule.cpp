#include <algorithm>
#include <cmath>

#include "inference/temperature_options.h"

namespace vtemper {

OptionTable schedule_options() {
  return {
      {"temperature_start", VTEMPER_OPTION_REAL, "auto", 1, 1e6, "",
       "Temperature of the first step; auto: as hot as the model's components bear; of models that follow gradients "
       "the size of a row's objective at the start."},
      {"temperature_passes", VTEMPER_OPTION_REAL, "auto", 0, 1e12, "",
       "Passes over all rows until T = 1; auto: all but the last third of the run, at most its last 200 steps, and "
       "no longer than the model's own where a step sees all rows; of models that follow gradients a tenth of the "
       "run; 1500 steps where its end is not known."},
      {"temperature_steps", VTEMPER_OPTION_REAL, "auto", 0, 1e15, "",
       "Steps until T = 1; goes before temperature_passes."},
      {"temperature_shape", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto linear exponential",
       "Whether T or log T falls linearly; auto: the model's own."},
  };
}

TemperatureSchedule::TemperatureSchedule(const OptionValues& values, const MethodDefaults& defaults)
    : start_(values.is_auto("temperature_start") ? 0 : values.real("temperature_start")),
      linear_((values.is_auto("temperature_shape") ? defaults.temperature_shape : values.text("temperature_shape")) ==
              std::string_view("linear")),
      default_steps_(defaults.temperature_steps) {
  if (!values.is_auto("temperature_steps")) steps_ = values.real("temperature_steps");
  if (!values.is_auto("temperature_passes")) {
    passes_ = values.real("temperature_passes");
  }
}

double TemperatureSchedule::length(const Clock& clock) const {
  if (steps_ >= 0) return steps_;
  if (passes_ >= 0) return passes_ * clock.steps_per_pass;
  if (share_ > 0 && clock.steps_total > 0) return share_ * static_cast<double>(clock.steps_total);
  const bool of_model = clock.full_steps && default_steps_ > 0;
  return of_model ? std::min(default_steps_, annealed_length(clock)) : annealed_length(clock);
}

double TemperatureSchedule::start_of(const Clock& clock) const {
  return brief_start_ > 0 && length(clock) <= brief_passes * clock.steps_per_pass ? brief_start_ : start_;
}

bool TemperatureSchedule::finished(const Clock& clock) const {
  return static_cast<double>(clock.iteration) >= length(clock);
}

double TemperatureSchedule::inverse(const Clock& clock) const {
  if (finished(clock)) return 1;
  const double done = static_cast<double>(clock.iteration) / length(clock);
  const double hot = start_of(clock);
  return linear_ ? 1 / (hot + (1 - hot) * done) : std::pow(hot, done - 1);
}

}  // namespace vtemper
