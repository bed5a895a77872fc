// Entropy annealing (Katahira 2008; Gultekin 2015, section 3.2): T multiplies the entropies of all posteriors and
// falls from temperature_start to 1 on a fixed schedule. The objective E log p + T H is maximised after division by
// T, which gives the tempered bound with every prior to the power s = 1/T (models/conjugate_model.h, PriorPower). The
// schedule printed in the paper, 5 / (1 - 0.9^t), tends to 5 instead of 1; this one is that of annealing.

#include "inference/temperature_options.h"

namespace vtemper {

namespace {

class EntropySchedule final : public Temperature {
 public:
  EntropySchedule(const OptionValues& values, const MethodDefaults& defaults)
      : schedule_(values, defaults.temperature_steps),
        natural_parameters_(values.used("temperature_entropy") == "natural_parameters") {}

  bool needs_tokens() const override { return schedule_.needs_start(); }

  void add_required(RequiredFeatures& required) const override {
    required.prior_power = true;
    required.natural_prior_power = natural_parameters_;
  }

  void prepare(const ConjugateModel& model, const Corpus& corpus) override {
    if (schedule_.needs_start()) {
      schedule_.start_at(model.start_temperatures(corpus.rows, corpus.tokens).entropy_schedule);
    }
  }

  void undo_prepare() override { schedule_.forget_starts(); }

  LocalTemperature local(const Clock& clock) override {
    LocalTemperature temperature;
    temperature.inverse = schedule_.inverse(clock);
    temperature.prior = {temperature.inverse, natural_parameters_};
    return temperature;
  }

  bool cold(const Clock& clock) const override { return schedule_.finished(clock); }

  void report_used(OptionValues& used, const Clock& clock) const override { schedule_.report_used(used, clock); }

 private:
  TemperatureSchedule schedule_;
  bool natural_parameters_;
};

OptionTable entropy_schedule_options() {
  OptionTable table = schedule_options();
  table.push_back({"temperature_entropy", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto density natural_parameters",
                   "The entropy that T multiplies: density: the differential entropy; natural_parameters: the "
                   "entropy relative to the base measure, so that T divides the natural parameters (Gultekin 2015, "
                   "eq. 8); auto: the model's own."});
  return table;
}

}  // namespace

extern const TemperaturePart temperature_entropy_schedule;
const TemperaturePart temperature_entropy_schedule = {
    "entropy_schedule", "T multiplies the entropies and falls to 1 on a schedule (deterministic annealing).",
    entropy_schedule_options,
    [](const OptionValues& values, const MethodDefaults& defaults) -> std::unique_ptr<Temperature> {
      return std::make_unique<EntropySchedule>(values, defaults);
    }};

}  // namespace vtemper
