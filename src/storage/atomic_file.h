#pragma once
// Files that are written whole or not at all.

#include <cstdint>
#include <string>
#include <vector>

namespace vtemper {

/// Bytes that are borrowed.
struct Piece {
  const void* data;
  int64_t size;
};

/// Writes the pieces to a temporary file in the folder of `path`, where possible one without a name, flushes it and
/// renames it. A symbolic link stays and its target is replaced; a file that exists keeps its mode, a new one gets
/// what the umask leaves of 0666. Error(IO) with the reason, also for devices and whatever else is not a regular
/// file; `path` is then as it was and nothing is left beside it.
void write_file_atomically(const std::string& path, const std::vector<Piece>& pieces);
void write_file_atomically(const std::string& path, const void* bytes, int64_t size);

}  // namespace vtemper
