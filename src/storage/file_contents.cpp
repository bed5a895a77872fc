#include "storage/file_contents.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "storage/failure.h"
#include "support/memory.h"
#include "support/unread_memory.h"

namespace vtemper {
namespace {

struct OpenFile {
  explicit OpenFile(const std::string& path) {
    do {
      number = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // do not block on a pipe without a writer
    } while (number < 0 && errno == EINTR);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (number >= 0) close(number);
  }
  int number;
};

int64_t nanoseconds(const timespec& time) {
  return static_cast<int64_t>(time.tv_sec) * 1000000000 + static_cast<int64_t>(time.tv_nsec);
}

int64_t read_or_fail(int descriptor, const std::string& path, int64_t place, int64_t size, void* out) {
  const int64_t count = read_fully(descriptor, place, out, size);
  if (count < 0) fail_io(path, "cannot be read", errno);
  return count;
}

}  // namespace

FileContents::FileContents(const std::string& path, const FileLimits& limits) : path_(path) {
  OpenFile file(path);
  if (file.number < 0) fail_io(path, "cannot be opened", errno);
  struct stat status;
  if (fstat(file.number, &status) != 0) fail_io(path, "cannot be opened", errno);
  if (S_ISDIR(status.st_mode)) fail_io(path, "cannot be read", EISDIR);
  if (!S_ISREG(status.st_mode)) throw Error(VTEMPER_ERROR_IO, path + " cannot be read: it is not a regular file");
  size_ = status.st_size;
  identity_ = FileIdentity(status);
  changed_ = nanoseconds(status.st_mtim);
  if (size_ == 0) return;
  try {
    reserve(limits);
    if (blocks_) {
      std::swap(descriptor_, file.number);
    } else {
      read_from(file.number, 0, size_, begin_);
    }
  } catch (...) {
    release();
    throw;
  }
}

FileContents::~FileContents() {
  if (descriptor_ >= 0 && identity_.is_at(descriptor_)) close(descriptor_);
  release();
}

void FileContents::reserve(const FileLimits& limits) {
  const bool at_once = size_ <= limits.read_at_once;
  const auto map = [&](int protection, int flags) {
    void* const bytes =
        mmap(nullptr, static_cast<size_t>(size_), protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    begin_ = bytes == MAP_FAILED ? nullptr : static_cast<uint8_t*>(bytes);
    return begin_ != nullptr;
  };
  if (at_once) {
    if (!map(PROT_READ | PROT_WRITE, 0)) fail_io(path_, "cannot be read", errno);
    return;
  }
  blocks_.reset(new std::atomic<int32_t>[static_cast<size_t>((size_ - 1) / block_size + 1)]());
  block_by_block_ = limits.block_by_block || !map(PROT_READ | PROT_WRITE, MAP_NORESERVE);
  if (block_by_block_ && !map(PROT_NONE, MAP_NORESERVE)) fail_io(path_, "cannot be read", errno);
  const double share = std::min(available_memory() * limits.share_of_memory, 1e18);
  room_ = static_cast<int64_t>(share);
  // Huge pages would take memory for blocks that were not read.
  if (room_ < size_) madvise(begin_, static_cast<size_t>(size_), MADV_NOHUGEPAGE);
  mark_unread(begin_, size_);
}

void FileContents::release() noexcept {
  if (begin_ == nullptr) return;
  mark_read(begin_, size_);
  munmap(begin_, static_cast<size_t>(size_));
  begin_ = nullptr;
}

void FileContents::read_from(int descriptor, int64_t place, int64_t bytes, void* out) const {
  if (read_or_fail(descriptor, path_, place, bytes, out) == bytes) return;
  throw Error(VTEMPER_ERROR_IO, message(path_, " was truncated after it was opened, when it had ", size_, " bytes"));
}

/// Programs that become services close descriptors that they do not know; the file is then opened again. Another file
/// may have got its number meanwhile, but not the time of its last change.
void FileContents::read_file(int64_t place, int64_t bytes, void* out) const {
  if (identity_.is_at(descriptor_)) return read_from(descriptor_, place, bytes, out);
  const OpenFile again(path_);
  if (again.number < 0) fail_io(path_, "cannot be opened again", errno);
  struct stat status;
  const bool same =
      identity_.is_at(again.number) && fstat(again.number, &status) == 0 && nanoseconds(status.st_mtim) == changed_;
  if (!same) {
    throw Error(
        VTEMPER_ERROR_IO,
        message(path_, " is no longer the file that was opened, whose descriptor was closed by ", "this program"));
  }
  read_from(again.number, place, bytes, out);
}

/// Reads a block that this thread has claimed. False, without a claim, if the system has no memory for it.
bool FileContents::bring_block(int64_t block) const {
  std::atomic<int32_t>& state = blocks_[static_cast<size_t>(block)];
  const int64_t place = block * block_size, bytes = std::min(block_size, size_ - place);
  const auto give_up = [&] {
    room_.fetch_add(block_size, std::memory_order_relaxed);
    state.store(absent, std::memory_order_release);
  };
  if (block_by_block_ && mprotect(begin_ + place, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE) != 0) {
    give_up();
    return false;
  }
  try {
    mark_read(begin_ + place, bytes);
    read_file(place, bytes, begin_ + place);
  } catch (...) {
    give_up();
    throw;
  }
  state.store(present, std::memory_order_release);
  return true;
}

/// Brings the blocks of a range into memory. False if there is no memory for them, and with room `within_limit` also
/// if they would exceed the limit or if another thread is reading one of them.
bool FileContents::bring(const void* address, int64_t bytes, Room room) const {
  const int64_t first = place_of(address) / block_size, last = (place_of(address) + bytes - 1) / block_size;
  const auto process = static_cast<int32_t>(getpid());
  for (int64_t block = first; block <= last; ++block) {
    std::atomic<int32_t>& state = blocks_[static_cast<size_t>(block)];
    int32_t found = state.load(std::memory_order_acquire);
    while (found != present) {
      if (found == process) {
        if (room == Room::within_limit) return false;
        sched_yield();
        found = state.load(std::memory_order_acquire);
        continue;
      }
      // Absent, or claimed by a thread of the process from which this one was forked.
      const bool fits = room_.fetch_sub(block_size, std::memory_order_relaxed) >= block_size;
      const bool claimed =
          (fits || room == Room::any) && state.compare_exchange_strong(found, process, std::memory_order_acquire);
      if (!claimed) room_.fetch_add(block_size, std::memory_order_relaxed);
      if (claimed ? !bring_block(block) : !fits && room == Room::within_limit) return false;
      if (claimed) break;
    }
  }
  return true;
}

const void* FileContents::fetch(const void* address, int64_t bytes, Spare& spare) const {
  if (spare.holds({address, bytes})) return spare.held();
  if (bring(address, bytes, Room::within_limit)) return address;
  read_file(place_of(address), bytes, spare.room(bytes));
  spare.hold({address, bytes});
  return spare.held();
}

void FileContents::request(const void* address, int64_t bytes) const {
  if (!has(address, bytes)) posix_fadvise(descriptor_, place_of(address), bytes, POSIX_FADV_WILLNEED);
}

void FileContents::keep(const void* address, int64_t bytes) const {
  if (!has(address, bytes) && !bring(address, bytes, Room::any)) throw std::bad_alloc();
}

void FileContents::read(const void* address, int64_t bytes, void* out) const {
  if (has(address, bytes)) {
    std::copy_n(static_cast<const uint8_t*>(address), bytes, static_cast<uint8_t*>(out));
  } else {
    read_file(place_of(address), bytes, out);
  }
}

int64_t FileContents::bytes_in_memory() const {
  if (!blocks_) return size_;
  int64_t bytes = 0;
  for (int64_t place = 0; place < size_; place += block_size) {
    const bool is_here = blocks_[static_cast<size_t>(place / block_size)].load(std::memory_order_relaxed) == present;
    bytes += is_here ? std::min(block_size, size_ - place) : 0;
  }
  return bytes;
}

bool read_beginning(const std::string& path, void* out, size_t size) {
  const OpenFile file(path);
  struct stat status;
  const bool is_regular = file.number >= 0 && fstat(file.number, &status) == 0 && S_ISREG(status.st_mode);
  const auto bytes = static_cast<int64_t>(size);
  return is_regular && read_or_fail(file.number, path, 0, bytes, out) == bytes;
}

}  // namespace vtemper
