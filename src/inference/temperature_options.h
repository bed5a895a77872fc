#pragma once
// What the learned temperatures share: options, the cool-down that ends them at T = 1, and the shares of a run.

#include "inference/temperature.h"

namespace vtemper {

/// Share of a run after which a temperature has reached 1 by default; the rest runs plain.
constexpr double annealed_share = 2.0 / 3.0;
/// Steps of annealing where the end of the run is not known (lda.md section 7).
constexpr double annealed_steps = 1500;

/// temperature_grid_size, temperature_max, temperature_cool_down.
OptionTable learned_temperature_options();

/// The cool-down of a learned temperature (lda.md section 2, remedy 2): the tempered model is only a way to the model
/// at T = 1, so T falls linearly to 1 over a share of the run that ends at annealed_share.
class CoolDown {
 public:
  explicit CoolDown(const OptionValues& values) : share_(values.real("temperature_cool_down")) {}

  bool started(const Clock& clock) const;
  bool finished(const Clock& clock) const;
  /// Least inverse temperature of the next step when the cool-down started from temperature `from`; 0 before it
  /// started.
  double least_inverse(const Clock& clock, double from) const;

 private:
  double share_;
};

}  // namespace vtemper
