#include "storage/temporary_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "support/text.h"

namespace vtemper {

namespace {

constexpr int64_t most_at_once = 1 << 30;  // systems take less than 2^31 bytes at a time

}  // namespace

TemporaryFile::~TemporaryFile() {
  if (file_ >= 0) ::close(file_);
  if (has_name_) unlink(path_.c_str());
}

bool TemporaryFile::create_without_name(const std::string& folder, mode_t mode) {
#ifdef O_TMPFILE
  folder_ = folder;
  file_ = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  if (file_ < 0) return false;
  path_ = sentence("/proc/self/fd/", file_);  // what gives it a name later
  if (access(path_.c_str(), F_OK) == 0) return true;
  close();
  return false;
#else
  static_cast<void>(folder), static_cast<void>(mode);
  errno = ENOTSUP;
  return false;
#endif
}

bool TemporaryFile::create_with_name(const std::string& folder, mode_t mode) {
  folder_ = folder;
  return take_name([&] {
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    return file_ >= 0;
  });
}

bool TemporaryFile::create_nameless(const std::string& folder, mode_t mode) {
  if (create_without_name(folder, mode)) return true;
  if (!create_with_name(folder, mode)) return false;
  has_name_ = unlink(path_.c_str()) != 0;
  return !has_name_;
}

bool TemporaryFile::set_mode(int mode) {
  return fchmod(file_, static_cast<mode_t>(mode)) == 0;
}

bool TemporaryFile::write(const void* bytes, int64_t size) {
  const char* next = static_cast<const char*>(bytes);
  for (int64_t left = size; left > 0;) {
    const ssize_t written = ::write(file_, next, static_cast<size_t>(std::min(left, most_at_once)));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    next += written;
    left -= written;
  }
  return true;
}

bool TemporaryFile::read(int64_t at, void* out, int64_t size) const {
  char* next = static_cast<char*>(out);
  for (int64_t left = size; left > 0;) {
    const ssize_t read = pread(file_, next, static_cast<size_t>(std::min(left, most_at_once)), at);
    if (read < 0 && errno == EINTR) continue;
    if (read == 0) errno = EIO;  // somebody else has cut it
    if (read <= 0) return false;
    next += read;
    at += read;
    left -= read;
  }
  return true;
}

bool TemporaryFile::flush() {
  while (fsync(file_) != 0) {
    if (errno == EINVAL || errno == ENOTSUP) return true;
    if (errno != EINTR) return false;
  }
  return true;
}

bool TemporaryFile::move_to(const std::string& target, bool is_new) {
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

/// Calls make() with new paths until one is not taken. They do not contain the final name, which may have the
/// greatest length already.
template <class Make>
bool TemporaryFile::take_name(const Make& make) {
  static std::atomic<uint64_t> count{0};
  constexpr int attempts = 1000;  // a name may be left from a killed process that had the same number
  for (int i = 0; i < attempts; ++i) {
    path_ = sentence(folder_, ".vtemper-", static_cast<int64_t>(getpid()), "-", count++, ".tmp");
    has_name_ = make();
    if (has_name_ || (errno != EEXIST && errno != EINTR)) break;
  }
  return has_name_;
}

bool TemporaryFile::close() {
  const int file = file_;
  file_ = -1;
  return ::close(file) == 0 || errno == EINTR;
}

}  // namespace vtemper
