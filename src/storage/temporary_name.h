#pragma once
// Names of files that are not to be seen, or not for long.

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string>

#include "support/text.h"

namespace vtemper {

/// Puts new names in the folder ("" or with a slash at its end) into `path` and calls make() until a name is not
/// taken. False, with errno, where make() fails for another reason. Names are short: that of a file that is to be
/// replaced may have the greatest length already.
template <class Make>
bool take_temporary_name(const std::string& folder, std::string& path, const Make& make) {
  static std::atomic<uint64_t> count{0};
  constexpr int attempts = 1000;  // a name may be left from a killed process that had the same number
  for (int i = 0; i < attempts; ++i) {
    path = sentence(folder, ".vtemper-", static_cast<int64_t>(getpid()), "-", count++, ".tmp");
    if (make()) return true;
    if (errno != EEXIST && errno != EINTR) return false;
  }
  return false;
}

}  // namespace vtemper
