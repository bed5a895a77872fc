#pragma once
// Draws without replacement.

#include <cstdint>

#include "support/random_streams.h"

namespace vtemper {

/// Beyond this the probabilities could not be computed to a useful accuracy.
constexpr int64_t most_hypergeometric_tokens = INT64_C(1) << 31;

/// Of `tokens` tokens, `special` of them special, `drawn` are drawn without replacement: how many special ones.
/// 0 <= special, drawn <= tokens <= most_hypergeometric_tokens.
int64_t draw_hypergeometric(RandomStream& stream, int64_t tokens, int64_t special, int64_t drawn);

}  // namespace vtemper
