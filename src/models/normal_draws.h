#pragma once
// Standard normal numbers in bulk.

#include <cstdint>

#include "support/random_streams.h"

namespace vtemper {

/// `count` numbers from the stream's next 2 ceil(count / 2) words.
template <class Real>
void draw_normals(RandomStream& random, int64_t count, Real* out);

}  // namespace vtemper
