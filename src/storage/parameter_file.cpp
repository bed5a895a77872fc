#include "storage/parameter_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "storage/failure.h"
#include "storage/temporary_file.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

/// Writes zeros. Returns 0 or an error number.
int write_zeros(int file, int64_t bytes) {
  const std::vector<char> zeros(size_t{1} << 20);
  for (int64_t at = 0; at < bytes;) {
    const int64_t count = std::min(bytes - at, static_cast<int64_t>(zeros.size()));
    if (!write_fully(file, at, zeros.data(), count)) return errno;
    at += count;
  }
  return 0;
}

/// Allocates the blocks on the disk. Returns 0 or an error number.
int allocate(int file, int64_t bytes) {
  if (is_above_file_limit(bytes)) return EFBIG;  // would raise a signal that ends the process
  // Some file systems would allocate all free blocks before they notice that these are not enough.
  struct statvfs disk;
  if (fstatvfs(file, &disk) == 0 &&
      static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize) < static_cast<double>(bytes)) {
    return ENOSPC;
  }
  int error = EINTR;
  while (error == EINTR) error = posix_fallocate(file, 0, static_cast<off_t>(bytes));
  // Some file systems do not support this, and some C libraries do not emulate it.
  return error == EOPNOTSUPP || error == ENOSYS || error == EINVAL ? write_zeros(file, bytes) : error;
}

}  // namespace

ParameterFile::ParameterFile(const std::string& folder, int64_t bytes)
    : folder_(folder), bytes_(bytes), process_(getpid()) {
  const std::string what = message("cannot hold a file of ", bytes, " bytes");
  TemporaryFile file(folder + "/", "");
  struct stat status;
  if (!file.create_nameless(0600) || fstat(file.descriptor(), &status) != 0) fail(what.c_str(), errno);
  if (const int error = allocate(file.descriptor(), bytes)) fail(what.c_str(), error);
  kept_ = mmap(nullptr, 1, PROT_NONE, MAP_SHARED, file.descriptor(), 0);
  if (kept_ == MAP_FAILED) fail(what.c_str(), errno);
  // Rows are read here and there. Data that the system reads ahead on its own are kept in large pages, which are
  // written as a whole when one row in them changes.
  posix_fadvise(file.descriptor(), 0, 0, POSIX_FADV_RANDOM);
  identity_ = FileIdentity(status);
  descriptor_ = file.release();
}

ParameterFile::~ParameterFile() {
  if (identity_.is_at(descriptor_)) close(descriptor_);
  munmap(kept_, 1);
}

/// A full disk or a lack of memory must not be taken for that of the process.
void ParameterFile::fail(const char* what, int error_number) const {
  if (error_number != ENOMEM) fail_io(folder_, what, error_number);
  throw Error(VTEMPER_ERROR_IO, message(folder_, " ", what, ": the system has no memory for it"));
}

bool ParameterFile::is_ours() const {
  return process_ == getpid();
}

void ParameterFile::require_open() const {
  if (identity_.is_at(descriptor_)) return;
  throw Error(VTEMPER_ERROR_IO,
              message("the file in ", folder_, " (option parameters_folder) was closed by this program, which must ",
                      "leave open the descriptors of others"));
}

void ParameterFile::require_writable() const {
  require_open();
  if (is_above_file_limit(bytes_)) fail("cannot be written", EFBIG);
}

void ParameterFile::require_written() const {
  require_open();
#ifdef SYNC_FILE_RANGE_WAIT_BEFORE
  // Behind the end there is nothing to wait for, but the system tells, once, of a failure anywhere in the file.
  if (sync_file_range(descriptor_, static_cast<off_t>(bytes_), 1, SYNC_FILE_RANGE_WAIT_BEFORE) != 0 &&
      (errno == EIO || errno == ENOSPC || errno == EDQUOT)) {
    lost_by_ = errno;
  }
#endif
  if (lost_by_ != 0) fail("holds a file that could not be written", lost_by_);
}

void ParameterFile::read(int64_t place, void* out, int64_t size) const {
  const int64_t count = read_fully(descriptor_, place, out, size);
  if (count == size) return;
  fail("holds a file that cannot be read", count < 0 ? errno : EIO);  // fewer bytes: truncated by another process
}

bool ParameterFile::read_without_waiting(int64_t place, void* out, int64_t size) const {
#ifdef RWF_NOWAIT
  if (may_wait_only_.load(std::memory_order_relaxed)) return false;
  const iovec range = {out, static_cast<size_t>(size)};
  const ssize_t count = preadv2(descriptor_, &range, 1, static_cast<off_t>(place), RWF_NOWAIT);
  if (count == size) return true;
  const bool may_wait = count >= 0 || errno == EAGAIN || errno == EINTR || errno == EIO;
  if (!may_wait) may_wait_only_.store(true, std::memory_order_relaxed);
#else
  static_cast<void>(place);
  static_cast<void>(out);
  static_cast<void>(size);
#endif
  return false;
}

void ParameterFile::write(int64_t place, const void* bytes, int64_t size) const {
  if (!write_fully(descriptor_, place, bytes, size)) fail("holds a file that cannot be written", errno);
}

void ParameterFile::request(int64_t place, int64_t size) const {
  posix_fadvise(descriptor_, static_cast<off_t>(place), static_cast<off_t>(size), POSIX_FADV_WILLNEED);
}

}  // namespace vtemper
