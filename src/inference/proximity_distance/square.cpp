#include "inference/proximity_distance.h"

namespace vtemper {

extern const ProximityDistancePart proximity_distance_square;
const ProximityDistancePart proximity_distance_square = {"square", "e^2 / 2.", [](double e) { return e * e / 2; },
                                                         [](double e) { return e; }};

}  // namespace vtemper
