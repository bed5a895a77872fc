#include "inference/step_size.h"

namespace vtemper {

namespace {

class Constant final : public StepSize {
 public:
  explicit Constant(double rate) : rate_(rate) {}
  double rate(const Clock&) const override { return rate_; }

 private:
  double rate_;
};

OptionTable constant_options() {
  return {{"step_size_rate", VTEMPER_OPTION_REAL, "0.01", 1e-12, 1, "", "rho of step_size constant."}};
}

}  // namespace

extern const StepSizePart step_size_constant;
const StepSizePart step_size_constant = {"constant", "rho = step_size_rate.", constant_options,
                                         [](const OptionValues& values) -> std::unique_ptr<StepSize> {
                                           return std::make_unique<Constant>(values.real("step_size_rate"));
                                         }};

}  // namespace vtemper
