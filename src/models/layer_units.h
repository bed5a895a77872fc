#pragma once
// The option for the number of units of each layer of a network.

#include <vector>

#include "support/options.h"

namespace vtemper {

constexpr double max_units = 100000;  ///< of a layer

/// The number of units of each layer, from option `name`. Error(OPTION): a number that is not whole, no layer, or
/// more than `max_layers`.
std::vector<int64_t> layer_units(const OptionValues& options, const char* name, int64_t max_layers);

}  // namespace vtemper
