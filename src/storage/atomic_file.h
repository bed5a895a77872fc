#pragma once
// Files that are written whole or not at all.

#include <cstdint>
#include <string>
#include <vector>

#include "storage/scratch_file.h"

namespace vtemper {

/// Bytes that are borrowed: in memory, or all of a file.
struct Piece {
  const void* data;
  int64_t size;
  const ScratchFile* file = nullptr;  ///< NULL: they are in memory

  /// Calls visit(bytes, size) for one stretch after the other.
  template <class Visit>
  void visit(const Visit& visit) const {
    if (file != nullptr) {
      file->visit(visit);
    } else if (size > 0) {
      visit(data, size);
    }
  }
};

/// The folder in which write_file_atomically works, with a slash at its end. Refuses what that would refuse without
/// having written anything.
std::string folder_of_file(const std::string& path);

/// Writes the pieces to a temporary file in the folder of `path`, where possible one without a name, flushes it and
/// renames it. A symbolic link stays and its target is replaced; a file that exists keeps its mode, a new one gets
/// what the umask leaves of 0666. Error(IO) with the reason, also for devices and whatever else is not a regular
/// file; `path` is then as it was and nothing is left beside it.
void write_file_atomically(const std::string& path, const std::vector<Piece>& pieces);
void write_file_atomically(const std::string& path, const void* bytes, int64_t size);

}  // namespace vtemper
