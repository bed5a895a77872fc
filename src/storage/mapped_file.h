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
};

/// Error(IO) with the path and the reason, also for what is not a regular file.
///
/// A file that another process cuts short while it is mapped ends this one (SIGBUS) when the lost part is read; files
/// that were written by write_file_atomically are replaced, never cut.
MappedFile map_file(const std::string& path);

}  // namespace vtemper
