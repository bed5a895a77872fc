#pragma once
// Memory on a disk of the caller's choice: a file without a name, mapped for reading and writing.

#include <cstdint>
#include <string>

namespace vtemper {

/// How a range of a mapping is about to be read. Only advice.
enum class Access { in_order, here_and_there };

void advise(const void* begin, int64_t bytes, Access access);
/// Begins to read the range from the disk where it is not in memory, without waiting for it.
void begin_to_read(const void* begin, int64_t bytes);

/// Nothing is left of the file however the process ends. Its blocks are taken when it is made, so no later write
/// finds the disk full, which would end the process (SIGBUS). A disk that fails to read or to write does end it, as
/// it does where memory is swapped to that disk. A process made by fork has the same file, not a copy of it.
class ScratchFile {
 public:
  ScratchFile() = default;
  /// `bytes` zeros, at least 1. Error(IO) with the folder and the reason.
  ScratchFile(const std::string& folder, int64_t bytes);
  ScratchFile(ScratchFile&& other) noexcept { swap(other); }
  ScratchFile& operator=(ScratchFile&& other) noexcept {
    swap(other);
    return *this;
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();

  void* data() { return data_; }  ///< NULL: no file
  const void* data() const { return data_; }
  int64_t bytes() const { return bytes_; }
  /// False in a process that was forked from the one that made the file.
  bool is_ours() const;

 private:
  void swap(ScratchFile& other) noexcept;
  void* data_ = nullptr;
  int64_t bytes_ = 0;
  int64_t process_ = 0;
};

}  // namespace vtemper
