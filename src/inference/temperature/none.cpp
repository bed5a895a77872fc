#include "inference/temperature.h"

namespace vtemper {

namespace {

class None final : public Temperature {
 public:
  void prepare(const ConjugateModel&, const Corpus&) override {}
  LocalTemperature local(const Clock&) override { return {}; }
  bool cold(const Clock&) const override { return true; }
};

}  // namespace

extern const TemperaturePart temperature_none;
const TemperaturePart temperature_none = {
    "none", "T = 1, plain variational inference.", [] { return OptionTable{}; },
    [](const OptionValues&, const MethodDefaults&) -> std::unique_ptr<Temperature> {
      return std::make_unique<None>();
    }};

}  // namespace vtemper
