#include "inference/step_size.h"

namespace vtemper {

namespace {

class Full final : public StepSize {
 public:
  double rate(const Clock&) const override { return 1; }
};

}  // namespace

extern const StepSizePart step_size_full;
const StepSizePart step_size_full = {
    "full", "rho = 1, coordinate ascent, for steps that see all rows.", [] { return OptionTable{}; },
    [](const OptionValues&) -> std::unique_ptr<StepSize> { return std::make_unique<Full>(); }};

}  // namespace vtemper
