#pragma once
// Atomic replacement of files.

#include <cstdint>
#include <string>
#include <vector>

#include "storage/file_contents.h"
#include "storage/parameter_file.h"
#include "storage/scratch_file.h"

namespace vtemper {

/// Borrowed bytes: in memory, a part of a file that is read, a whole temporary file, or the beginning of a file of
/// parameters.
struct Piece {
  const void* data;
  int64_t size;
  const ScratchFile* scratch = nullptr;    ///< not NULL: its bytes
  const FileContents* contents = nullptr;  ///< not NULL: `data` is an address in this file
  const ParameterFile* file = nullptr;     ///< not NULL: its first `size` bytes

  /// Calls visit(bytes, size) for consecutive ranges of bytes.
  template <class Visit>
  void visit(const Visit& visit) const {
    if (scratch != nullptr) {
      scratch->visit(visit);
    } else if (contents != nullptr) {
      contents->visit(data, size, visit);
    } else if (file != nullptr) {
      file->visit(size, visit);
    } else if (size > 0) {
      visit(data, size);
    }
  }
};

/// The folder in which write_file_atomically creates its file, with a slash at its end. Refuses paths that it would
/// refuse before writing anything.
std::string folder_of_file(const std::string& path);

/// Writes the pieces to a temporary file in the folder of `path` (unnamed where possible), flushes it and renames it.
/// Symbolic links are kept and their targets replaced; an existing file keeps its mode, a new one gets 0666 minus the
/// umask. Error(IO) with the reason, also for devices and anything else that is not a regular file; `path` is then
/// unchanged and no temporary file remains. If the process is killed meanwhile, a temporary file may remain until the
/// path is written again.
void write_file_atomically(const std::string& path, const std::vector<Piece>& pieces);
void write_file_atomically(const std::string& path, const void* bytes, int64_t size);

}  // namespace vtemper
