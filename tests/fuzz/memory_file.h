#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

/// Folder for files that need one: in memory if possible, so that no input waits for a disk.
inline std::string memory_folder() {
  return access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : "/tmp/";
}

/// A file in memory that has a path.
class MemoryFile {
 public:
  MemoryFile(const void* bytes, size_t size) : descriptor_(memfd_create("input", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || write(descriptor_, bytes, size) != static_cast<ssize_t>(size)) std::abort();
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};
