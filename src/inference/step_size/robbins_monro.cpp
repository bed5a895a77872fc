#include <algorithm>
#include <cmath>

#include "inference/step_size.h"

namespace vtemper {

namespace {

/// The default delay: a third of the run, so that the steps reach several times further than the memory of the
/// initial value, but at most the 1024 steps of inference/README.md section 6.
constexpr double delay_share = 1.0 / 3.0;
constexpr double longest_delay = 1024;

/// tau of a run of that many steps; 0: unknown.
double default_delay(int64_t steps_total) {
  if (steps_total == 0) return longest_delay;
  return std::clamp(delay_share * static_cast<double>(steps_total), 1.0, longest_delay);
}

/// rho_t = (tau + t)^-kappa (Hoffman 2013, eq. 26).
class RobbinsMonro final : public StepSize {
 public:
  explicit RobbinsMonro(const OptionValues& values)
      : by_default_(values.is_auto("step_size_delay")),
        delay_(by_default_ ? 0 : values.real("step_size_delay")),
        power_(values.real("step_size_power")) {}

  double rate(const Clock& clock) const override {
    return std::pow(delay(clock) + static_cast<double>(clock.iteration), -power_);
  }

  void report_used(OptionValues& used, const Clock& clock) const override {
    used.use("step_size_delay", delay(clock));
  }

 private:
  bool by_default_;
  double delay_, power_;

  /// With a time budget, the estimated number of steps improves as the run proceeds; where rows are fed, it follows
  /// from the first of them.
  double delay(const Clock& clock) const { return by_default_ ? default_delay(clock.expected_steps()) : delay_; }
};

OptionTable robbins_monro_options() {
  return {
      {"step_size_delay", VTEMPER_OPTION_REAL, "auto", 1, 1e12, "",
       "tau of rho_t = (tau + t)^-kappa, in steps; auto: a third of the run, at most 1024; where rows are fed "
       "without max_passes, one pass over rows_total is expected."},
      {"step_size_power", VTEMPER_OPTION_REAL, "0.7", 0.5, 1, "", "kappa of rho_t = (tau + t)^-kappa."},
  };
}

}  // namespace

extern const StepSizePart step_size_robbins_monro;
const StepSizePart step_size_robbins_monro = {
    "robbins_monro", "rho_t = (step_size_delay + t)^-step_size_power (Hoffman 2013).", robbins_monro_options,
    [](const OptionValues& values) -> std::unique_ptr<StepSize> { return std::make_unique<RobbinsMonro>(values); }};

}  // namespace vtemper
