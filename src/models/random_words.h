#pragma once
// Random words, many at a time.

#include <cstdint>

#include "support/random_streams.h"

namespace vtemper {

/// out [count] = the stream's next words, as random.bits() gives them.
void draw_words(RandomStream& random, int64_t count, uint32_t* out);

}  // namespace vtemper
