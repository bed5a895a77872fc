#pragma once
// Memory backed by an unnamed file in a given folder, mapped for reading and writing.

#include <cstdint>
#include <string>

namespace vtemper {

/// Advises the system of the access pattern of a range (madvise).
enum class Access { in_order, here_and_there };

void advise(const void* begin, int64_t bytes, Access access);
/// Starts reading the range from the disk, without waiting.
void begin_to_read(const void* begin, int64_t bytes);

/// The file disappears however the process ends. Its blocks are allocated on construction, so that no later write can
/// fail because the disk is full, which would end the process (SIGBUS). A read or write error of the disk does end
/// it, as with swapped memory. A forked process shares the file; it has no copy of its own.
class ScratchMemory {
 public:
  ScratchMemory() = default;
  /// `bytes` zeros, at least 1. Error(IO), Error(MEMORY) without address space; both name the folder and the reason.
  ScratchMemory(const std::string& folder, int64_t bytes);
  ScratchMemory(ScratchMemory&& other) noexcept { swap(other); }
  ScratchMemory& operator=(ScratchMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ScratchMemory(const ScratchMemory&) = delete;
  ScratchMemory& operator=(const ScratchMemory&) = delete;
  ~ScratchMemory();

  void* data() { return data_; }  ///< NULL: no file
  const void* data() const { return data_; }
  int64_t bytes() const { return bytes_; }
  /// False in a forked child of the process that created the file.
  bool is_ours() const;

 private:
  void swap(ScratchMemory& other) noexcept;
  void* data_ = nullptr;
  int64_t bytes_ = 0;
  int64_t process_ = 0;
};

}  // namespace vtemper
