#pragma once
// Sampling without replacement.

#include <cstdint>

#include "support/random_streams.h"

namespace vtemper {

/// Beyond this the probabilities cannot be computed accurately.
constexpr int64_t max_hypergeometric_tokens = INT64_C(1) << 31;

/// Number of special tokens among `drawn` tokens drawn without replacement from `tokens`, of which `special` are
/// special. 0 <= special, drawn <= tokens <= max_hypergeometric_tokens.
int64_t draw_hypergeometric(RandomStream& stream, int64_t tokens, int64_t special, int64_t drawn);

}  // namespace vtemper
