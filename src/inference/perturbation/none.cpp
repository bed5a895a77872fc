#include "inference/perturbation.h"

namespace vtemper {

namespace {

class None final : public PerturbationSchedule {
 public:
  Perturbation next(const Clock&) const override { return {}; }
  bool over(const Clock&) const override { return true; }
};

}  // namespace

extern const PerturbationPart perturbation_none;
const PerturbationPart perturbation_none = {
    "none", "r = 0, steps as they are.", [] { return OptionTable{}; },
    [](const OptionValues&, const MethodDefaults&) -> std::unique_ptr<PerturbationSchedule> {
      return std::make_unique<None>();
    }};

}  // namespace vtemper
