#include "inference/proximity_decay.h"

namespace vtemper {

extern const ProximityDecayPart proximity_decay_constant;
const ProximityDecayPart proximity_decay_constant = {"constant", "k.", [] { return OptionTable{}; },
                                                     [](const OptionValues&, double) { return 1.0; }};

}  // namespace vtemper
