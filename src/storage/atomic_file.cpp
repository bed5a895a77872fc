#include "storage/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "storage/failure.h"

namespace vtemper {
namespace {

[[noreturn]] void fail(const std::string& path, int error_number) {
  fail_io(path, "cannot be written", error_number);
}

/// The target of a chain of symbolic links; `path` itself if nothing exists yet.
std::string resolved(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> target(realpath(path.c_str(), nullptr), std::free);
  if (target) return target.get();
  if (errno != ENOENT) fail(path, errno);
  // The target does not exist yet; `path` may be a dangling link to it.
  std::string next = path;
  constexpr int most_links = 40;
  for (int links = 0; links < most_links; ++links) {
    char text[4096];
    const ssize_t length = readlink(next.c_str(), text, sizeof text);
    if (length < 0) return next;
    if (static_cast<size_t>(length) == sizeof text) fail(path, ENAMETOOLONG);
    const std::string link(text, static_cast<size_t>(length));
    const size_t slash = next.rfind('/');
    next.resize(link[0] == '/' || slash == std::string::npos ? 0 : slash + 1);
    next += link;
  }
  fail(path, ELOOP);
}

/// Mode of the file to be replaced, -1 if there is none. Refuses what cannot or should not be replaced.
int replaced_mode(const std::string& path, const std::string& target) {
  struct stat status;
  if (stat(target.c_str(), &status) != 0) {
    if (errno != ENOENT) fail(path, errno);
    return -1;
  }
  if (S_ISDIR(status.st_mode)) fail(path, EISDIR);
  if (!S_ISREG(status.st_mode)) throw Error(VTEMPER_ERROR_IO, path + " cannot be written: it is not a regular file");
  if (access(target.c_str(), W_OK) != 0) fail(path, errno);
  return static_cast<int>(status.st_mode & 0777);
}

/// A private file in a folder. Where the file system supports it, it has no name until it is complete, so nothing
/// remains however the process ends; otherwise it has a temporary name and is deleted with the object unless it was
/// moved into place. Functions that return false leave the reason in errno.
class TemporaryFile {
 public:
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (file_ >= 0) ::close(file_);
    if (has_name_) unlink(path_.c_str());
  }

  bool create_without_name(const std::string& folder, mode_t mode) {
#ifdef O_TMPFILE
    folder_ = folder;
    file_ = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (file_ < 0) return false;
    path_ = sentence("/proc/self/fd/", file_);  // source path for linkat
    return access(path_.c_str(), F_OK) == 0;
#else
    static_cast<void>(folder), static_cast<void>(mode);
    errno = ENOTSUP;
    return false;
#endif
  }

  bool create_with_name(const std::string& folder, mode_t mode) {
    folder_ = folder;
    return take_name([&] {
      file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
      return file_ >= 0;
    });
  }

  bool set_mode(int mode) {
    return fchmod(file_, static_cast<mode_t>(mode)) == 0;
  }

  bool write(const Piece& piece) {
    constexpr int64_t most = 1 << 30;  // write() accepts less than 2^31 bytes at a time
    const char* next = static_cast<const char*>(piece.data);
    for (int64_t left = piece.size; left > 0;) {
      const ssize_t written = ::write(file_, next, static_cast<size_t>(std::min(left, most)));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      next += written;
      left -= written;
    }
    return true;
  }

  /// Flushes to disk. File systems without fsync (EINVAL) have nothing to flush.
  bool flush() {
    while (fsync(file_) != 0) {
      if (errno == EINVAL || errno == ENOTSUP) return true;
      if (errno != EINTR) return false;
    }
    return true;
  }

  /// Moves the complete file into place; `is_new`: no file exists there.
  bool move_to(const std::string& target, bool is_new) {
    if (!has_name_) {
      const std::string open_file = path_;
      const auto link = [&](const std::string& name) {
        return linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
      };
      if (is_new && link(target)) return true;
      if (!take_name([&] { return link(path_); })) return false;
    } else if (!close()) {
      return false;
    }
    has_name_ = rename(path_.c_str(), target.c_str()) != 0;
    return !has_name_;
  }

 private:
  /// Calls make() with fresh names until one is unused. They do not contain the final name, which may already have
  /// the maximum length.
  template <class Make>
  bool take_name(const Make& make) {
    static std::atomic<uint64_t> count{0};
    constexpr int attempts = 1000;  // a killed process with the same id may have left a name behind
    for (int i = 0; i < attempts; ++i) {
      path_ = sentence(folder_, ".vtemper-", static_cast<int64_t>(getpid()), "-", count++, ".tmp");
      has_name_ = make();
      if (has_name_ || (errno != EEXIST && errno != EINTR)) break;
    }
    return has_name_;
  }

  bool close() {
    const int file = file_;
    file_ = -1;
    return ::close(file) == 0 || errno == EINTR;
  }

  std::string folder_;
  std::string path_;
  int file_ = -1;
  bool has_name_ = false;
};

/// Makes the new name durable. Returns false, with errno set, on failure. Folders that may be written but not read,
/// and file systems that cannot flush folders, count as success.
bool flush_folder(const std::string& folder) {
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return errno != EIO && errno != EMFILE && errno != ENFILE && errno != ENOMEM;
  int result = fsync(file);
  while (result != 0 && errno == EINTR) result = fsync(file);
  const int reason = errno;
  close(file);
  errno = reason;
  return result == 0 || (reason != EIO && reason != ENOSPC && reason != EDQUOT);
}

}  // namespace

void write_file_atomically(const std::string& path, const std::vector<Piece>& pieces) {
  if (path.empty()) throw Error(VTEMPER_ERROR_IO, "a file cannot be written: its path is empty");
  const std::string target = resolved(path);
  const int mode = replaced_mode(path, target);
  const size_t slash = target.rfind('/');
  const std::string folder = slash == std::string::npos ? "./" : target.substr(0, slash + 1);

  // Readable by nobody who cannot read the file that is replaced.
  const mode_t first_mode = mode >= 0 ? 0600 : 0666;
  const auto fill = [&](TemporaryFile& file) {
    if (mode >= 0 && !file.set_mode(mode)) fail(path, errno);
    for (const Piece& piece : pieces) {
      if (!file.write(piece)) fail(path, errno);
    }
    if (!file.flush()) fail(path, errno);
  };
  bool written = false;
  {
    TemporaryFile file;
    if (file.create_without_name(folder, first_mode)) {
      fill(file);
      written = file.move_to(target, mode < 0);
    }
  }
  if (!written) {  // unnamed files are not supported here, or cannot be given a name
    TemporaryFile file;
    if (!file.create_with_name(folder, first_mode)) fail(path, errno);
    fill(file);
    if (!file.move_to(target, mode < 0)) fail(path, errno);
  }
  if (!flush_folder(folder)) {
    fail_io(path,
            "is written, but a loss of power may bring back what was there before: its folder cannot be flushed",
            errno);
  }
}

void write_file_atomically(const std::string& path, const void* bytes, int64_t size) {
  write_file_atomically(path, {{bytes, size}});
}

}  // namespace vtemper
