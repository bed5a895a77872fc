#include <algorithm>
#include <cmath>

#include "inference/step_size.h"

namespace vtemper {

namespace {

/// The default delay in rows: 1024 steps of 100 rows (lda.md section 7). Larger batches are less noisy, so they may
/// move as much with as many rows.
constexpr double delay_rows = 102400;
constexpr double delay_fed = 1024;

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
       "tau of rho_t = (tau + t)^-kappa, in steps; auto: 102400 rows, or 1024 steps where rows are fed."},
      {"step_size_power", VTEMPER_OPTION_REAL, "0.7", 0.5, 1, "", "kappa of rho_t = (tau + t)^-kappa."},
  };
}

}  // namespace

extern const StepSizePart step_size_robbins_monro;
const StepSizePart step_size_robbins_monro = {
    "robbins_monro", "rho_t = (step_size_delay + t)^-step_size_power (Hoffman 2013).", options,
    [](const OptionValues& values, int64_t batch_size) -> std::unique_ptr<StepSize> {
      double delay = batch_size > 0 ? std::max(1.0, delay_rows / static_cast<double>(batch_size)) : delay_fed;
      if (!values.is_auto("step_size_delay")) delay = values.real("step_size_delay");
      return std::make_unique<RobbinsMonro>(delay, values.real("step_size_power"));
    }};

}  // namespace vtemper
