// The paper's distance. It has a kink at 0: the force is +-1 however small the difference, and 0 only at exactly 0.

#include <cmath>

#include "inference/proximity_distance.h"

namespace vtemper {

extern const ProximityDistancePart proximity_distance_inverse_huber;
const ProximityDistancePart proximity_distance_inverse_huber = {
    "inverse_huber", "|e| where |e| < 1, else (e^2 + 1) / 2.",
    [](double e) { return std::abs(e) < 1 ? std::abs(e) : (e * e + 1) / 2; },
    [](double e) { return std::abs(e) < 1 ? static_cast<double>((e > 0) - (e < 0)) : e; }};

}  // namespace vtemper
