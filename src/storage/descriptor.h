#pragma once
// Calls on open files that are done as a whole, and how to tell that a descriptor still is that of a file.

#include <sys/stat.h>

#include <cstdint>

namespace vtemper {

/// A file, however many descriptors it has. Hosts that become services close descriptors that they do not know, and
/// other files get their numbers.
struct FileIdentity {
  uint64_t device = 0, number = 0;
  FileIdentity() = default;
  explicit FileIdentity(const struct stat& status)
      : device(static_cast<uint64_t>(status.st_dev)), number(static_cast<uint64_t>(status.st_ino)) {}
  /// Whether the descriptor is one of this file.
  bool is_at(int descriptor) const;
};

/// Reads from a place of the file. Returns the number of bytes, fewer than `size` at the end of the file, or -1 with
/// errno. Short and interrupted calls are continued.
int64_t read_fully(int descriptor, int64_t place, void* out, int64_t size);

/// Writes to a place of the file; false with errno. Short and interrupted calls are continued.
bool write_fully(int descriptor, int64_t place, const void* bytes, int64_t size);

}  // namespace vtemper
