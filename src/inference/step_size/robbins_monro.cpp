#include <cmath>

#include "inference/step_size.h"

namespace vtemper {

namespace {

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
      {"step_size_delay", VTEMPER_OPTION_REAL, "1024", 1, 1e12, "", "tau of rho_t = (tau + t)^-kappa, in steps."},
      {"step_size_power", VTEMPER_OPTION_REAL, "0.7", 0.5, 1, "", "kappa of rho_t = (tau + t)^-kappa."},
  };
}

}  // namespace

extern const StepSizePart step_size_robbins_monro;
const StepSizePart step_size_robbins_monro = {
    "robbins_monro", "rho_t = (step_size_delay + t)^-step_size_power (Hoffman 2013).", options,
    [](const OptionValues& values) -> std::unique_ptr<StepSize> {
      return std::make_unique<RobbinsMonro>(values.real("step_size_delay"), values.real("step_size_power"));
    }};

}  // namespace vtemper
