#pragma once
// A file of our own in a folder, which is gone with the object unless it was moved to its place.

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace vtemper {

/// Without a name until it is whole where the file system has such files, so that nothing is left of it however the
/// process ends, and else with a name of its own. It can be written and read. Where a function returns false, errno
/// tells why.
///
/// A file with such a name is locked (flock) as long as its process lives and has not moved it to its place. The
/// names follow from the place, so that whoever goes there next finds those without a lock, and removes them.
class TemporaryFile {
 public:
  /// `folder` with a slash at its end; `target`: the place that it goes to, "" for a file that goes nowhere.
  TemporaryFile(const std::string& folder, const std::string& target);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  /// What processes that were killed on their way to the same place have left.
  void remove_strays() const;

  bool create_without_name(mode_t mode);
  bool create_with_name(mode_t mode);
  /// Never to be moved to a place: without a name on any file system.
  bool create_nameless(mode_t mode);
  bool set_mode(int mode);
  int descriptor() const { return file_; }  ///< open as long as the object lives

  /// At its end.
  bool write(const void* bytes, int64_t size);
  /// So many bytes from the place `at` on, which must be there.
  bool read(int64_t at, void* out, int64_t size) const;

  /// To the disk. File systems that cannot (EINVAL) have nothing to flush.
  bool flush();

  /// The whole file goes to its place; `is_new`: where there was none.
  bool move(bool is_new);

 private:
  template <class Make>
  bool take_name(const Make& make);
  std::string name(int number) const;
  bool lock() const;
  bool is_written_back() const;
  void close();

  const std::string folder_;
  const std::string target_;
  std::string path_;
  int file_ = -1;
  bool has_name_ = false;
};

}  // namespace vtemper
