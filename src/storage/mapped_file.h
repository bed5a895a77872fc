#pragma once
// A file in memory, read only.

#include <cstdint>
#include <memory>
#include <string>

namespace vtemper {

struct MappedFile {
  std::shared_ptr<const void> owner;  ///< keeps the mapping alive
  const void* bytes = nullptr;
  int64_t size = 0;  ///< 0: nothing is mapped

  /// False where the file is known to be shorter by now.
  bool is_whole() const;
  int descriptor = -1;                   ///< of the file, open as long as the owner lives; -1: the bytes are a copy
  uint64_t device = 0, file_number = 0;  ///< the descriptor may have been closed, and another file have its number
};

/// Error(IO) with the path and the reason, also for what is not a regular file.
///
/// A small file is copied (storage/copied_file.h). A larger one that another process cuts short while it is mapped
/// ends this one (SIGBUS) when the lost part is read, so readers ask is_whole first; what is cut off between question
/// and reading still does. Files that were written by write_file_atomically are replaced, never cut.
MappedFile map_file(const std::string& path);

}  // namespace vtemper
