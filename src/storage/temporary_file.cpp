#include "storage/temporary_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>

#include "storage/descriptor.h"
#include "support/text.h"

namespace vtemper {

namespace {

constexpr int64_t max_at_once = 1 << 30;  // systems accept less than 2^31 bytes per call
constexpr int max_names = 1000;           // maximum number of concurrent writers of one target

bool open_new(const std::string& path, mode_t mode, int& file) {
  file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  return file >= 0;
}

}  // namespace

bool is_above_file_limit(int64_t bytes) {
  rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
         static_cast<uint64_t>(bytes) > static_cast<uint64_t>(limit.rlim_cur);
}

TemporaryFile::TemporaryFile(const std::string& folder, const std::string& target)
    : folder_(folder), target_(target) {}

TemporaryFile::~TemporaryFile() {
  if (has_name_) unlink(path_.c_str());  // before the lock ends with the file
  close();
}

/// The name of the number-th temporary file of the target. It does not contain the target's name, which may already
/// have the maximum length, and does not depend on how the folder is written.
std::string TemporaryFile::name(int number) const {
  const size_t begin = target_.rfind('/') + 1;
  const uint64_t hash = XXH3_64bits(target_.data() + begin, target_.size() - begin);
  return message(folder_, ".vtemper-", hash, "-", number, ".tmp");
}

void TemporaryFile::remove_strays() const {
  for (int number = 0; number < max_names; ++number) {
    const std::string path = name(number);
    const int file = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 && number > 0) return;  // of two concurrent files, number 0 may already be renamed
    if (file < 0) continue;
    struct stat status, named;
    // Only the holder of the lock may remove the name, so the name stays that of this file while we hold the lock.
    const bool is_stray = flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &status) == 0 &&
                          S_ISREG(status.st_mode) && lstat(path.c_str(), &named) == 0 &&
                          status.st_dev == named.st_dev && status.st_ino == named.st_ino;
    if (is_stray) unlink(path.c_str());
    ::close(file);
  }
}

bool TemporaryFile::create_without_name(mode_t mode) {
#ifdef O_TMPFILE
  file_ = open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  if (file_ < 0) return false;
  path_ = message("/proc/self/fd/", file_);  // from which it gets a name later
  if (access(path_.c_str(), F_OK) == 0) return true;
  close();
  return false;
#else
  static_cast<void>(mode);
  errno = ENOTSUP;
  return false;
#endif
}

bool TemporaryFile::create_with_name() {
  return take_name([&] { return open_locked(0600); });
}

int TemporaryFile::mode_of_new_files() {
  if (!take_name([&] { return open_locked(0666); })) return -1;
  struct stat status;
  const bool is_known = fstat(file_, &status) == 0;
  has_name_ = unlink(path_.c_str()) != 0;
  const int reason = errno;
  close();
  errno = reason;
  return is_known && !has_name_ ? static_cast<int>(status.st_mode & 0777) : -1;
}

bool TemporaryFile::create_nameless(mode_t mode) {
  if (create_without_name(mode)) return true;
  remove_strays();
  // Without a lock, the only interference between the two calls is that another process does the second one instead.
  if (!take_name([&] { return open_new(path_, mode, file_); })) return false;
  has_name_ = unlink(path_.c_str()) != 0 && errno != ENOENT;
  return !has_name_;
}

/// A new file named path_, with a lock.
bool TemporaryFile::open_locked(mode_t mode) {
  if (!open_new(path_, mode, file_)) return false;
  if (lock()) return true;
  close();
  errno = EEXIST;
  return false;
}

/// False if another process has mistaken the file for a stray one since it was created. Without support for locks
/// that cannot happen.
bool TemporaryFile::lock() const {
  if (flock(file_, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat status;
  return fstat(file_, &status) != 0 || status.st_nlink > 0;
}

bool TemporaryFile::set_mode(int mode) {
  return fchmod(file_, static_cast<mode_t>(mode)) == 0;
}

bool TemporaryFile::set_owner_and_mode(const struct stat& replaced) {
  struct stat own;
  if (fstat(file_, &own) != 0) return false;
  const bool has_group = own.st_gid == replaced.st_gid || fchown(file_, static_cast<uid_t>(-1), replaced.st_gid) == 0;
  const mode_t mode = replaced.st_mode & 0777;
  // The members of another group may do what everybody may.
  if (!set_mode(static_cast<int>(has_group ? mode : (mode & 0707) | (mode & 07) << 3))) return false;
  // Last, because only the owner may set the mode; who may not give files away keeps it.
  const bool given = own.st_uid == replaced.st_uid || fchown(file_, replaced.st_uid, static_cast<gid_t>(-1)) == 0;
  static_cast<void>(given);
  return true;
}

bool TemporaryFile::write(const void* bytes, int64_t size) {
  if (is_above_file_limit(size_ + size)) {
    errno = EFBIG;
    return false;
  }
  size_ += size;
  const char* next = static_cast<const char*>(bytes);
  for (int64_t left = size; left > 0;) {
    const ssize_t written = ::write(file_, next, static_cast<size_t>(std::min(left, max_at_once)));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    next += written;
    left -= written;
  }
  return true;
}

bool TemporaryFile::read(int64_t at, void* out, int64_t size) const {
  const int64_t count = read_fully(file_, at, out, size);
  if (count >= 0 && count < size) errno = EIO;  // truncated by another process
  return count == size;
}

bool TemporaryFile::flush() {
  while (fsync(file_) != 0) {
    if (errno == EINVAL || errno == ENOTSUP) return true;
    if (errno != EINTR) return false;
  }
  return true;
}

bool TemporaryFile::move(bool is_new) {
  if (!has_name_) {
    const std::string open_file = path_;
    const auto link = [&](const std::string& name) {
      return linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (is_new && link(target_)) return true;
    flock(file_, LOCK_EX | LOCK_NB);  // no other process can hold it
    if (!take_name([&] { return link(path_); })) return false;
  } else if (!is_written_back()) {
    return false;
  }
  has_name_ = rename(path_.c_str(), target_.c_str()) != 0;
  return !has_name_;
}

/// Calls make() for one name after the other until a name is free.
template <class Make>
bool TemporaryFile::take_name(const Make& make) {
  for (int number = 0; number < max_names; ++number) {
    path_ = name(number);
    has_name_ = make();
    if (has_name_ || (errno != EEXIST && errno != EINTR)) break;
  }
  return has_name_;
}

/// Network file systems report some failures only when a descriptor is closed. The file itself stays open, to keep
/// its lock.
bool TemporaryFile::is_written_back() const {
  const int copy = fcntl(file_, F_DUPFD_CLOEXEC, 0);
  return copy >= 0 && (::close(copy) == 0 || errno == EINTR);
}

int TemporaryFile::release() {
  const int file = file_;
  file_ = -1;
  return file;
}

void TemporaryFile::close() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

}  // namespace vtemper
