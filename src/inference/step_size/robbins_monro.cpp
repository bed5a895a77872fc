#include <algorithm>
#include <cmath>

#include "inference/step_size.h"

namespace vtemper {

namespace {

/// The default delay: a third of the run, so that its steps reach a few times further than they forget, and at most
/// the 1024 steps of lda.md section 7.
constexpr double delay_share = 1.0 / 3.0;
constexpr double longest_delay = 1024;

/// rho_t = (tau + t)^-kappa (Hoffman 2013, eq. 26).
class RobbinsMonro final : public StepSize {
 public:
  RobbinsMonro(double delay, double power) : delay_(delay), power_(power) {}
  double rate(int64_t iteration) const override { return std::pow(delay_ + static_cast<double>(iteration), -power_); }

 private:
  double delay_, power_;
};

OptionTable options() {
  return {
      {"step_size_delay", VTEMPER_OPTION_REAL, "auto", 1, 1e12, "",
       "tau of rho_t = (tau + t)^-kappa, in steps; auto: a third of the run, at most 1024 or where its steps are not "
       "known."},
      {"step_size_power", VTEMPER_OPTION_REAL, "0.7", 0.5, 1, "", "kappa of rho_t = (tau + t)^-kappa."},
  };
}

}  // namespace

extern const StepSizePart step_size_robbins_monro;
const StepSizePart step_size_robbins_monro = {
    "robbins_monro", "rho_t = (step_size_delay + t)^-step_size_power (Hoffman 2013).", options,
    [](const OptionValues& values, int64_t steps_total, const MethodDefaults&) -> std::unique_ptr<StepSize> {
      double delay = longest_delay;
      if (steps_total > 0) delay = std::clamp(delay_share * static_cast<double>(steps_total), 1.0, longest_delay);
      if (!values.is_auto("step_size_delay")) delay = values.real("step_size_delay");
      return std::make_unique<RobbinsMonro>(delay, values.real("step_size_power"));
    }};

}  // namespace vtemper
