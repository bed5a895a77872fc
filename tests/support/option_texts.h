#pragma once
// Options for tests, as texts by name.

#include <map>
#include <string>

#include "support/options.h"

namespace vtemper {

using Texts = std::map<std::string, std::string>;

inline Options options_of(const Texts& texts) {
  Options options;
  for (const auto& [name, text] : texts) options.set(name, text);
  return options;
}

}  // namespace vtemper
