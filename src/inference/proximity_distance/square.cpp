#include "inference/proximity_distance.h"

namespace vtemper {

extern const ProximityDistancePart proximity_distance_square;
const ProximityDistancePart proximity_distance_square = {"square", "e^2.", [](double e) { return e * e; },
                                                         [](double e) { return 2 * e; }};

}  // namespace vtemper
