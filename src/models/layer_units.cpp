#include "models/layer_units.h"

#include <cmath>

#include "support/error.h"
#include "support/text.h"

namespace vtemper {

std::vector<int64_t> layer_units(const OptionValues& options, const char* name, int64_t max_layers) {
  std::vector<int64_t> layers;
  for (const double units : options.reals(name)) {
    if (units != std::floor(units)) {
      throw Error(VTEMPER_ERROR_OPTION, message("option ", name, " has ", units, ", which is not a number of units"));
    }
    layers.push_back(static_cast<int64_t>(units));
  }
  const auto count = static_cast<int64_t>(layers.size());
  if (count < 1 || count > max_layers) {
    throw Error(VTEMPER_ERROR_OPTION,
                message("option ", name, " has ", count, " layers; it must have 1 to ", max_layers));
  }
  return layers;
}

}  // namespace vtemper
