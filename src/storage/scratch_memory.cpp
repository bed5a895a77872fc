#include "storage/scratch_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
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
    const size_t count = static_cast<size_t>(std::min(bytes - at, static_cast<int64_t>(zeros.size())));
    const ssize_t written = pwrite(file, zeros.data(), count, static_cast<off_t>(at));
    if (written < 0 && errno != EINTR) return errno;
    at += std::max<ssize_t>(written, 0);
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

/// Calls act(begin, length) for the pages that contain the range.
template <class Act>
void with_pages(const void* begin, int64_t bytes, const Act& act) {
  if (bytes <= 0) return;
  const uintptr_t page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t address = reinterpret_cast<uintptr_t>(begin);
  const uintptr_t before = address % page;
  const int error = errno;
  // madvise takes pointers to non-const memory; the advice does not change it.
  act(static_cast<char*>(const_cast<void*>(begin)) - before, static_cast<size_t>(bytes) + before);
  errno = error;
}

}  // namespace

void advise(const void* begin, int64_t bytes, Access access) {
  with_pages(begin, bytes, [&](void* from, size_t length) {
    madvise(from, length, access == Access::in_order ? MADV_NORMAL : MADV_RANDOM);
  });
}

void begin_to_read(const void* begin, int64_t bytes) {
  with_pages(begin, bytes, [](void* from, size_t length) { madvise(from, length, MADV_WILLNEED); });
}

ScratchMemory::ScratchMemory(const std::string& folder, int64_t bytes) {
  const std::string what = message("cannot hold a file of ", bytes, " bytes");
  TemporaryFile file(folder + "/", "");
  if (!file.create_nameless(0600)) fail_io(folder, what.c_str(), errno);
  if (const int error = allocate(file.descriptor(), bytes)) fail_io(folder, what.c_str(), error);
  void* const mapped =
      mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor(), 0);
  if (mapped == MAP_FAILED && errno == ENOMEM) {
    // "Out of memory" alone would be misleading for a file.
    throw Error(VTEMPER_ERROR_MEMORY, message(folder, " ", what, ": the process may not have as much address space"));
  }
  if (mapped == MAP_FAILED) fail_io(folder, what.c_str(), errno);
  data_ = mapped;
  bytes_ = bytes;
  process_ = getpid();
}

ScratchMemory::~ScratchMemory() {
  if (data_ != nullptr) munmap(data_, static_cast<size_t>(bytes_));
}

bool ScratchMemory::is_ours() const {
  return process_ == getpid();
}

void ScratchMemory::swap(ScratchMemory& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(process_, other.process_);
}

}  // namespace vtemper
