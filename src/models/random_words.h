#pragma once
// Random words in bulk.

#include <cstdint>

#include "support/random_streams.h"

namespace vtemper {

/// out [count] = the stream's next words, identical to calls of random.bits().
void draw_words(RandomStream& random, int64_t count, uint32_t* out);

}  // namespace vtemper
