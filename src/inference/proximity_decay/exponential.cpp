#include <cmath>

#include "inference/proximity_decay.h"

namespace vtemper {

extern const ProximityDecayPart proximity_decay_exponential;
const ProximityDecayPart proximity_decay_exponential = {
    "exponential", "k proximity_rate^(t / T).",
    [] {
      return OptionTable{{"proximity_rate", VTEMPER_OPTION_REAL, "1e-20", 1e-300, 1, "",
                          "Share of the magnitude that exponential decay leaves at the end of the run (gamma)."}};
    },
    [](const OptionValues& options, double done) { return std::pow(options.real("proximity_rate"), done); }};

}  // namespace vtemper
