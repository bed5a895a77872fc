#pragma once
// A file of our own in a folder, which is gone with the object unless it was moved to its place.

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace vtemper {

/// Without a name until it is whole where the file system has such files, so that nothing is left of it however the
/// process ends, and else with a name of its own. It can be written and read. Where a function returns false, errno
/// tells why.
class TemporaryFile {
 public:
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  bool create_without_name(const std::string& folder, mode_t mode);
  bool create_with_name(const std::string& folder, mode_t mode);
  /// Never to be moved to a place: without a name on any file system.
  bool create_nameless(const std::string& folder, mode_t mode);
  bool set_mode(int mode);
  int descriptor() const { return file_; }  ///< open as long as the object lives

  /// At its end.
  bool write(const void* bytes, int64_t size);
  /// So many bytes from the place `at` on, which must be there.
  bool read(int64_t at, void* out, int64_t size) const;

  /// To the disk. File systems that cannot (EINVAL) have nothing to flush.
  bool flush();

  /// The whole file goes to its place; `is_new`: where there was none.
  bool move_to(const std::string& target, bool is_new);

 private:
  template <class Make>
  bool take_name(const Make& make);
  bool close();

  std::string folder_;
  std::string path_;
  int file_ = -1;
  bool has_name_ = false;
};

}  // namespace vtemper
