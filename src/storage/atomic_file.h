#pragma once
// Atomic replacement of files.

#include <cstdint>
#include <string>
#include <vector>

namespace vtemper {

/// Borrowed bytes.
struct Piece {
  const void* data;
  int64_t size;
};

/// Writes the pieces to a temporary file in the folder of `path` (unnamed where possible), flushes it and renames it.
/// Symbolic links are kept and their targets replaced; an existing file keeps its mode, a new one gets 0666 minus the
/// umask. Error(IO) with the reason, also for devices and anything else that is not a regular file; `path` is then
/// unchanged and no temporary file remains.
void write_file_atomically(const std::string& path, const std::vector<Piece>& pieces);
void write_file_atomically(const std::string& path, const void* bytes, int64_t size);

}  // namespace vtemper
