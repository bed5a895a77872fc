#pragma once
// A temporary file in a folder. The destructor deletes it unless it was renamed to its target.

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <string>

namespace vtemper {

/// Whether the process may not write files of that size (RLIMIT_FSIZE).
bool is_above_file_limit(int64_t bytes);

/// If the file system supports it, the file has no name until it is complete, so that nothing remains of it however
/// the process ends; otherwise it has a temporary name. It can be written and read. If a function returns false,
/// errno gives the reason.
///
/// A file with a temporary name is locked (flock) until it is renamed to its target or its process ends. The names
/// depend on the target, so that the next writer of the same target finds files without a lock and removes them.
class TemporaryFile {
 public:
  /// `folder` ends with a slash. `target`: the path to which the file will be renamed; "" if it is never renamed.
  TemporaryFile(const std::string& folder, const std::string& target);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  /// Removes files left by killed writers of the same target.
  void remove_strays() const;

  bool create_without_name(mode_t mode);
  /// With mode 0600: others cannot read it before set_mode.
  bool create_with_name();
  /// The mode of new files in the folder (umask, access lists), found with an empty one; -1 if none can be created.
  int mode_of_new_files();
  /// A file that is never renamed: it has no name on any file system.
  bool create_nameless(mode_t mode);
  bool set_mode(int mode);  ///< when it is complete
  /// Owner, group and mode of the file that it replaces, as far as this process may set them.
  bool set_owner_and_mode(const struct stat& replaced);
  bool has_name() const { return has_name_; }  ///< false after the file was renamed to its target
  int descriptor() const { return file_; }     ///< open as long as the object lives
  /// The descriptor of a file without a name, which the caller closes.
  int release();

  /// Appends the bytes. Where the process may not write files of that size, errno is EFBIG: the system's own signal
  /// (SIGXFSZ), which would end the process, does not arise.
  bool write(const void* bytes, int64_t size);
  /// Reads `size` bytes from position `at` on, which must exist.
  bool read(int64_t at, void* out, int64_t size) const;

  /// Flushes the file to the disk. File systems without support for this (EINVAL) have nothing to flush.
  bool flush();

  /// Renames the complete file to its target; `is_new`: the target did not exist.
  bool move(bool is_new);

 private:
  template <class Make>
  bool take_name(const Make& make);
  std::string name(int number) const;
  bool open_locked(mode_t mode);
  bool lock() const;
  bool is_written_back() const;
  void close();

  const std::string folder_;
  const std::string target_;
  std::string path_;
  int file_ = -1;
  int64_t size_ = 0;  ///< bytes written
  bool has_name_ = false;
};

}  // namespace vtemper
