// Annealed variational inference (Mandt 2016, section 3.1): T falls from temperature_start to 1 on a fixed schedule
// and stays there; the temperature divides the expected log likelihood, never the priors (inference/README.md section
// 1).

#include "inference/temperature_options.h"

namespace vtemper {

namespace {

class Schedule final : public Temperature {
 public:
  Schedule(const OptionValues& values, const MethodDefaults& defaults)
      : schedule_(values, defaults.temperature_steps) {}

  bool needs_tokens() const override { return schedule_.needs_start() || schedule_.needs_reheat(); }

  void prepare(const ConjugateModel& model, const Corpus& corpus) override {
    if (!needs_tokens()) return;
    const StartTemperatures starts = model.start_temperatures(corpus.rows, corpus.tokens);
    schedule_.reheat_to(starts.reheat > 0 ? starts.reheat : starts.schedule);
    if (schedule_.needs_start()) {
      // When rows are fed, the number of passes of a schedule is unknown at the first step.
      const bool grows = corpus.may_grow && starts.growing > 0;
      schedule_.start_at(grows ? starts.growing : starts.schedule, corpus.data && !grows ? starts.brief_schedule : 0);
    }
  }

  bool falls() const override { return true; }

  LocalTemperature local(const Clock& clock) override {
    LocalTemperature temperature;
    temperature.inverse = schedule_.inverse(clock);
    return temperature;
  }

  bool cold(const Clock& clock) const override { return schedule_.finished(clock); }

  void report_used(OptionValues& used, const Clock& clock) const override { schedule_.report_used(used, clock); }

 private:
  TemperatureSchedule schedule_;
};

}  // namespace

extern const TemperaturePart temperature_schedule;
const TemperaturePart temperature_schedule = {
    "schedule", "T falls from temperature_start to 1 on a schedule (annealed variational inference).",
    schedule_options, [](const OptionValues& values, const MethodDefaults& defaults) -> std::unique_ptr<Temperature> {
      return std::make_unique<Schedule>(values, defaults);
    }};

}  // namespace vtemper
