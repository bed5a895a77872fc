#pragma once
// A temporary file for data that may be larger than memory: appended to, then read again. It is deleted
// automatically.

#include <cstdint>
#include <memory>
#include <string>

#include "storage/temporary_file.h"

namespace vtemper {

/// The folder of such files: that of the output file.
class ScratchFolder {
 public:
  /// Error(IO) for paths that write_file_atomically would refuse.
  explicit ScratchFolder(const std::string& path);
  const std::string& folder() const { return folder_; }
  const std::string& path() const { return path_; }  ///< of the output file, for messages

 private:
  std::string path_;
  std::string folder_;
};

/// Error(IO) if the disk is full or fails. Reading can be cancelled (Error(CANCELLED)).
class ScratchFile {
 public:
  explicit ScratchFile(const ScratchFolder& folder);

  void append(const void* bytes, int64_t size);
  int64_t size() const { return size_; }

  /// Calls visit(bytes, size) for consecutive blocks. All blocks except the last have the same size, a multiple of
  /// 64.
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
