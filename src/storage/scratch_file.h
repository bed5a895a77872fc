#pragma once
// Bytes that are kept on the disk for a while, because there may be more of them than memory: written at the end,
// read again later. Nothing is left of them.

#include <cstdint>
#include <memory>
#include <string>

#include "storage/temporary_file.h"

namespace vtemper {

/// Where such files are made: beside the file that is written in the end.
class ScratchFolder {
 public:
  /// Refuses (IO) what write_file_atomically would refuse.
  explicit ScratchFolder(const std::string& path);
  const std::string& folder() const { return folder_; }
  const std::string& path() const { return path_; }  ///< of the file in the end, for messages

 private:
  std::string path_;
  std::string folder_;
};

/// Error(IO) where the disk is full or fails. Reading asks for interruption (Error(CANCELLED)).
class ScratchFile {
 public:
  explicit ScratchFile(const ScratchFolder& folder);

  void append(const void* bytes, int64_t size);
  int64_t size() const { return size_; }

  /// Calls visit(bytes, size) for one stretch after the other. All stretches but the last have the same size, a
  /// multiple of 64.
  template <class Visit>
  void visit(const Visit& visit) const {
    if (size_ == 0) return;
    const std::unique_ptr<char[]> block(new char[static_cast<size_t>(block_size)]);
    for (int64_t at = 0; at < size_; at += block_size) {
      const int64_t length = size_ - at < block_size ? size_ - at : block_size;
      read(at, block.get(), length);
      visit(static_cast<const void*>(block.get()), length);
    }
  }

 private:
  void read(int64_t at, void* out, int64_t size) const;
  [[noreturn]] void fail(const char* what) const;

  static constexpr int64_t block_size = int64_t{1} << 18;

  std::string path_;
  TemporaryFile file_;
  int64_t size_ = 0;
};

}  // namespace vtemper
