// Annealed variational inference (Mandt 2016, section 3.1): T falls from temperature_start to 1 on a fixed schedule
// and stays there; the temperature divides the expected log likelihood, never the priors (lda.md section 1).

#include <cmath>

#include "inference/temperature.h"
#include "inference/temperature_options.h"

namespace vtemper {

namespace {

class Schedule final : public Temperature {
 public:
  Schedule(const OptionValues& values, const MethodDefaults& defaults)
      : start_(values.is_auto("temperature_start") ? 0 : values.real("temperature_start")),
        linear_((values.is_auto("temperature_shape") ? defaults.temperature_shape
                                                     : values.text("temperature_shape")) == "linear") {
    if (defaults.temperature_steps > 0) steps_ = defaults.temperature_steps;
    if (!values.is_auto("temperature_steps")) steps_ = values.real("temperature_steps");
    if (!values.is_auto("temperature_passes")) {
      passes_ = values.real("temperature_passes");
      if (values.is_auto("temperature_steps")) steps_ = -1;
    }
  }

  bool needs_tokens() const override { return start_ == 0; }

  void prepare(const ConjugateModel& model, const Corpus& corpus) override {
    if (start_ == 0) start_ = model.start_temperatures(corpus.rows, corpus.tokens).schedule;
  }

  LocalTemperature local(const Clock& clock) override {
    LocalTemperature temperature;
    if (!cold(clock)) {
      const double done = static_cast<double>(clock.iteration) / length(clock);
      temperature.inverse = linear_ ? 1 / (start_ + (1 - start_) * done) : std::pow(start_, done - 1);
    }
    return temperature;
  }

  bool cold(const Clock& clock) const override { return static_cast<double>(clock.iteration) >= length(clock); }

 private:
  double start_;  ///< 0: automatic, until prepare
  bool linear_;
  double steps_ = -1;   ///< < 0: not given
  double passes_ = -1;  ///< likewise

  double length(const Clock& clock) const {
    if (steps_ >= 0) return steps_;
    if (passes_ >= 0) return passes_ * clock.steps_per_pass;
    if (clock.steps_total > 0) return annealed_share * static_cast<double>(clock.steps_total);
    return annealed_steps;
  }
};

OptionTable options() {
  return {
      {"temperature_start", VTEMPER_OPTION_REAL, "auto", 1, 1e6, "",
       "Temperature of the first step; auto: as hot as the model's components bear, at most 4."},
      {"temperature_passes", VTEMPER_OPTION_REAL, "auto", 0, 1e12, "",
       "Passes over all rows until T = 1; auto: two thirds of the run, or 1500 steps where its end is not known."},
      {"temperature_steps", VTEMPER_OPTION_REAL, "auto", 0, 1e15, "",
       "Steps until T = 1; goes before temperature_passes."},
      {"temperature_shape", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto linear exponential",
       "Whether T or log T falls linearly; auto: the model's own."},
  };
}

}  // namespace

extern const TemperaturePart temperature_schedule;
const TemperaturePart temperature_schedule = {
    "schedule", "T falls from temperature_start to 1 on a schedule (annealed variational inference).", options,
    [](const OptionValues& values, const MethodDefaults& defaults) -> std::unique_ptr<Temperature> {
      return std::make_unique<Schedule>(values, defaults);
    }};

}  // namespace vtemper
