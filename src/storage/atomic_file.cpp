// Files that appear whole or not at all: written beside their name, brought to the disk, then renamed.

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <system_error>

#include "storage/atomic_file.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& path, int code) {
  throw Error(VTEMPER_ERROR_IO, sentence("cannot ", what, " ", path, ": ", std::generic_category().message(code)));
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

/// An open file descriptor, and the name to remove unless the file was finished.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& path) {
    // O_EXCL: a name that another writer has is never shared; numbers are tried until one is free.
    for (int attempt = 0; descriptor_ < 0; ++attempt) {
      constexpr int most_attempts = 1000;
      name_ = sentence(path, ".", static_cast<int64_t>(getpid()), "-", attempt, ".partial");
      descriptor_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && (errno != EEXIST || attempt == most_attempts)) refuse("write", path, errno);
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!name_.empty()) unlink(name_.c_str());
  }

  void write(const Piece& piece, const std::string& path) const {
    const char* next = static_cast<const char*>(piece.data);
    int64_t left = piece.size;
    while (left > 0) {
      constexpr int64_t most = int64_t{1} << 30;  // a single write takes less than 2 GiB
      const ssize_t done = ::write(descriptor_, next, static_cast<size_t>(std::min(left, most)));
      if (done < 0) {
        if (errno == EINTR) continue;
        refuse("write", path, errno);
      }
      next += done;
      left -= done;
    }
  }

  void take_mode(mode_t mode) const { static_cast<void>(fchmod(descriptor_, mode & 0777)); }

  void rename_to(const std::string& path) {
    if (fsync(descriptor_) != 0) refuse("write", path, errno);
    const int closed = close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) refuse("write", path, errno);
    if (rename(name_.c_str(), path.c_str()) != 0) refuse("write", path, errno);
    name_.clear();
  }

 private:
  std::string name_;
  int descriptor_ = -1;
};

/// The file behind a symbolic link, so that the link stays.
std::string resolved(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> target(realpath(path.c_str(), nullptr), std::free);
  return target ? target.get() : path;
}

/// The new name itself survives a crash once its folder is on the disk; file systems without that (EINVAL) are fine
/// too.
void sync_folder(const std::string& path) {
  const int folder = open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  fsync(folder);
  close(folder);
}

}  // namespace

void write_file_atomically(const std::string& path, const std::vector<Piece>& pieces) {
  struct stat status;
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    throw Error(VTEMPER_ERROR_IO, sentence("cannot write ", path, ": it is not a regular file"));
  }
  const std::string target = resolved(path);
  TemporaryFile file(target);
  if (exists) file.take_mode(status.st_mode);
  for (const Piece& piece : pieces) file.write(piece, path);
  file.rename_to(target);
  sync_folder(target);
}

void write_file_atomically(const std::string& path, const void* bytes, int64_t size) {
  write_file_atomically(path, {{bytes, size}});
}

}  // namespace vtemper
