#include "inference/proximity_decay.h"

namespace vtemper {

extern const ProximityDecayPart proximity_decay_linear;
const ProximityDecayPart proximity_decay_linear = {
    "linear", "k (1 - t / T), 0 from T on.", [] { return OptionTable{}; },
    [](const OptionValues&, double done) { return done < 1 ? 1 - done : 0; }};

}  // namespace vtemper
