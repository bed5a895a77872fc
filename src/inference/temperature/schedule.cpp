// Annealed variational inference (Mandt 2016, section 2.2): T falls from temperature_start to 1 on a fixed schedule
// and stays there; the temperature divides the expected log likelihood, never the priors (inference/README.md section
// 1).

#include "inference/temperature_options.h"

namespace vtemper {

namespace {

class Schedule final : public Temperature {
 public:
  Schedule(const OptionValues& values, const MethodDefaults& defaults)
      : schedule_(values, defaults.temperature_steps),
        given_reheat_(values.is_auto("temperature_reheat") ? 0 : values.real("temperature_reheat")),
        tokens_decide_(defaults.reheats),
        reheats_(tokens_decide_ ||
                 (!values.is_auto("temperature_coolings") && values.integer("temperature_coolings") > 1)) {
    take_given_reheat();
  }

  bool needs_tokens() const override { return schedule_.needs_start() || needs_reheat() || tokens_decide_; }

  void prepare(const ConjugateModel& model, const Corpus& corpus) override {
    if (!schedule_.needs_start() && !needs_reheat()) return;
    const StartTemperatures starts = model.start_temperatures(corpus.rows, corpus.tokens);
    if (needs_reheat()) {
      reheat_ = starts.reheat > 0 ? starts.reheat : starts.schedule;
      schedule_.reheat_to(reheat_);
    }
    if (schedule_.needs_start()) {
      // When rows are fed, the number of passes of a schedule is unknown at the first step.
      const bool grows = corpus.may_grow && starts.growing > 0;
      schedule_.start_at(grows ? starts.growing : starts.schedule, corpus.data && !grows ? starts.brief_schedule : 0);
    }
  }

  void undo_prepare() override {
    schedule_.forget_starts();
    take_given_reheat();
  }

  bool falls() const override { return true; }

  LocalTemperature local(const Clock& clock) override {
    LocalTemperature temperature;
    temperature.inverse = schedule_.inverse(clock);
    return temperature;
  }

  bool cold(const Clock& clock) const override { return schedule_.finished(clock); }

  void report_used(OptionValues& used, const Clock& clock) const override {
    schedule_.report_used(used, clock);
    if (reheat_ > 0) {
      used.use("temperature_reheat", reheat_);
    } else if (!schedule_.needs_start()) {
      used.use("temperature_reheat", schedule_.start());
    }
  }

 private:
  TemperatureSchedule schedule_;
  double given_reheat_;  ///< option temperature_reheat; 0: auto
  double reheat_ = 0;    ///< 0: not yet known, or not needed
  bool tokens_decide_;   ///< whether another cooling gains, or how hot it is
  bool reheats_;         ///< there may be several coolings

  bool needs_reheat() const { return reheats_ && reheat_ == 0; }
  void take_given_reheat() {
    reheat_ = given_reheat_;
    if (reheat_ > 0) schedule_.reheat_to(reheat_);
  }
};

OptionTable annealing_options() {
  OptionTable table = schedule_options();
  merge(table,
        {
            {"temperature_coolings", VTEMPER_OPTION_INTEGER, "auto", 1, 1e9, "",
             "How many times T falls to 1 in a run: after each time but the last, the fit is heated to "
             "temperature_reheat and cools to a better optimum. Each cooling takes the same number of steps, "
             "with a schedule and step sizes of its own. Not for steps over all rows, rows that are fed, or "
             "gradient steps; auto: 1; for lda with minibatches, fewer than 250 topics, at least 30 documents "
             "per topic and no other temperature options given: 1.6e7 / (rows times topics), from 2 to 8, and more "
             "where max_passes is more than usual; with option time as many as there is time for."},
            {"temperature_reheat", VTEMPER_OPTION_REAL, "auto", 1, 1e15, "",
             "Temperature from which all coolings but the first start; auto: that of the first; for lda 1.5 "
             "times the temperature below which equal topics separate, at most 6."},
        });
  return table;
}

}  // namespace

extern const TemperaturePart temperature_schedule;
const TemperaturePart temperature_schedule = {
    "schedule", "T falls from temperature_start to 1 on a schedule (annealed variational inference).",
    annealing_options,
    [](const OptionValues& values, const MethodDefaults& defaults) -> std::unique_ptr<Temperature> {
      return std::make_unique<Schedule>(values, defaults);
    }};

}  // namespace vtemper
