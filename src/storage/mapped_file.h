#pragma once
// A read-only file in memory.

#include <cstdint>
#include <memory>
#include <string>

namespace vtemper {

struct MappedFile {
  std::shared_ptr<const void> owner;  ///< keeps the mapping alive
  const void* bytes = nullptr;
  int64_t size = 0;  ///< 0: no mapping

  /// False if the file is known to have been truncated.
  bool is_whole() const;
  int descriptor = -1;                   ///< of the file, open as long as the owner lives; -1 if the bytes are a copy
  uint64_t device = 0, file_number = 0;  ///< identify the file, in case the descriptor was closed and reused
};

/// Error(IO) with the path and the reason, also for anything that is not a regular file.
///
/// Small files are copied (storage/copied_file.h). If another process truncates a larger one while it is mapped,
/// access to the lost part ends this process (SIGBUS). Readers therefore check is_whole first; truncation between
/// check and access remains fatal. Files written by write_file_atomically are replaced, never truncated.
MappedFile map_file(const std::string& path);

}  // namespace vtemper
