#pragma once
// Memory available to this process.

#include <string>

namespace vtemper {

/// Bytes that this process can use before others must give way or its control group is full, as far as the system
/// tells: a guide, not a promise. Reads the files below `root` + "/proc" and "/sys"; `root` is "" outside tests.
double available_memory(const std::string& root = "");

}  // namespace vtemper
