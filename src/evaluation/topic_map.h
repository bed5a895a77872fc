#pragma once
// A map of components that are distributions over words: points in the plane whose distances approximate the
// Jensen-Shannon distances of the components.

#include <string_view>

#include "models/model.h"

namespace vtemper {

/// The dissimilarity of two components: "distance", the square root of the Jensen-Shannon divergence, a metric; or
/// "divergence" itself (Sievert and Shirley 2014).
enum class TopicDissimilarity { distance, divergence };

/// Error(ARGUMENT) for an unknown name.
TopicDissimilarity topic_dissimilarity(std::string_view name);

/// Places the components by classical scaling; x is the direction of larger spread. If the vocabulary is so large
/// that comparing all pairs would take long, the rarer words are merged into one. places: [components x 2].
void topic_map(const Model& model, TopicDissimilarity dissimilarity, double* places);

}  // namespace vtemper
