#pragma once
// An unnamed file in a given folder, of a fixed size, for numbers that are larger than memory.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "storage/descriptor.h"

namespace vtemper {

/// The file disappears however the process ends. Its blocks are allocated on construction, so that no later write
/// fails because the disk is full, except on file systems that copy on writing. A forked process shares the file; it
/// has no copy of its own. Any number of threads may read and write different places.
///
/// It is read and written by calls, not mapped: a page of a mapping that the disk fails to read or write would end
/// the process (SIGBUS). Every failure is an Error(IO) that names the folder and the reason.
class ParameterFile {
 public:
  /// `bytes` zeros, at least 1.
  ParameterFile(const std::string& folder, int64_t bytes);
  ParameterFile(const ParameterFile&) = delete;
  ParameterFile& operator=(const ParameterFile&) = delete;
  ~ParameterFile();

  int64_t bytes() const { return bytes_; }
  const std::string& folder() const { return folder_; }
  /// False in a forked child of the process that created the file.
  bool is_ours() const;

  /// Must precede the functions below, once for calls that follow each other directly: another file may have got the
  /// number of the descriptor if this program has closed it.
  void require_open() const;
  /// As above, and that the process may write files of this size, which would otherwise end it (SIGXFSZ).
  void require_writable() const;

  /// That the system has not failed to bring to the disk what was written before; costs one call, and waits for
  /// nothing. From the first failure on it always fails.
  void require_written() const;

  void read(int64_t place, void* out, int64_t size) const;
  /// Reads if that takes no waiting for the disk; otherwise returns false, and `out` is undefined.
  bool read_without_waiting(int64_t place, void* out, int64_t size) const;
  void write(int64_t place, const void* bytes, int64_t size) const;
  /// Announces that the bytes are about to be read; does not wait.
  void request(int64_t place, int64_t size) const;

  /// Calls visit(bytes, size) for consecutive ranges of the first `size` bytes; includes require_open.
  template <class Visit>
  void visit(int64_t size, const Visit& visit) const {
    const std::unique_ptr<char[]> range(
        new char[static_cast<size_t>(size < visited_at_once ? size : visited_at_once)]);
    for (int64_t place = 0; place < size; place += visited_at_once) {
      const int64_t length = size - place < visited_at_once ? size - place : visited_at_once;
      require_open();
      request(place + length, visited_at_once);
      read(place, range.get(), length);
      visit(static_cast<const void*>(range.get()), length);
    }
  }

 private:
  static constexpr int64_t visited_at_once = int64_t{1} << 20;
  [[noreturn]] void fail(const char* what, int error_number) const;

  std::string folder_;
  int64_t bytes_;
  int64_t process_;
  int descriptor_ = -1;
  FileIdentity identity_;
  /// A page of address space, never accessed, that keeps the file alive if its descriptor is closed: otherwise a new
  /// file could get its number.
  void* kept_ = nullptr;
  mutable std::atomic<bool> may_wait_only_{false};  ///< the file system cannot tell whether a read would wait
  mutable std::atomic<int> lost_by_{0};             ///< the error by which the system has lost what was written
};

}  // namespace vtemper
