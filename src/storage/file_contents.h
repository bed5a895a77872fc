#pragma once
// The contents of a file at fixed addresses of memory. Nothing that happens to the file afterwards can end this
// process: a mapping of a file that is truncated, or that the disk fails to read, would raise SIGBUS.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "storage/descriptor.h"

namespace vtemper {

/// Files up to this size are read when they are opened, which takes some hundredths of a second.
constexpr int64_t largest_file_read_at_once = int64_t{64} << 20;

/// Memory for bytes that are needed for a moment.
class Spare {
 public:
  /// What bytes are copies of: an address, or a place in something that is there, in one of its states.
  struct Source {
    const void* address;
    int64_t bytes;
    int64_t place = 0, revision = 0;
  };
  /// Uninitialised memory; what was there is forgotten.
  void* room(int64_t bytes) {
    source_ = {nullptr, 0};
    if (memory_.size() * sizeof(double) < static_cast<size_t>(bytes)) {
      memory_.resize((static_cast<size_t>(bytes) + sizeof(double) - 1) / sizeof(double));
    }
    return memory_.data();
  }
  /// Declares that the room now holds these bytes.
  void hold(const Source& source) { source_ = source; }
  bool holds(const Source& source) const {
    return source.address == source_.address && source.bytes == source_.bytes && source.place == source_.place &&
           source.revision == source_.revision;
  }
  const void* held() const { return memory_.data(); }

 private:
  std::vector<double> memory_;
  Source source_ = {nullptr, 0};
};

/// How much of a file may be in memory.
struct FileLimits {
  int64_t read_at_once = largest_file_read_at_once;
  double share_of_memory = 0.5;  ///< of the memory that is available when the file is opened
  /// Memory becomes usable block by block, as is necessary where the system promises no more memory than it has.
  bool block_by_block = false;
};

/// For files whose arrays are copied when they are used, or must not take memory (option parameters_folder).
constexpr FileLimits no_memory_for_blocks = {largest_file_read_at_once, 0};

/// Small files are read at once, and later changes to them have no effect. Larger ones take address space only:
/// blocks of them are read when they are first needed, and stay. When they fill the permitted share of the memory,
/// further blocks are read anew each time. Any number of threads may read.
///
/// Every function that reads can throw Error(IO), naming the file: it was truncated, or cannot be read.
class FileContents {
 public:
  /// Error(IO) with the path and the reason, also for anything that is not a regular file.
  explicit FileContents(const std::string& path, const FileLimits& limits = {});
  FileContents(const FileContents&) = delete;
  FileContents& operator=(const FileContents&) = delete;
  ~FileContents();

  const std::string& path() const { return path_; }
  int64_t size() const { return size_; }
  /// The address of the first byte. Bytes must not be accessed before `at` or `keep` has returned for them.
  const uint8_t* begin() const { return begin_; }

  /// The elements at an address: there, or in `spare`, until its next use.
  template <class T>
  const T* at(const T* address, int64_t count, Spare& spare) const {
    const int64_t bytes = count * static_cast<int64_t>(sizeof(T));
    if (has(address, bytes)) return address;
    return static_cast<const T*>(fetch(address, bytes, spare));
  }
  /// Reads the bytes at an address to stay there, even beyond the permitted share of the memory.
  void keep(const void* address, int64_t bytes) const;
  /// Reads the bytes at an address into `out`.
  void read(const void* address, int64_t bytes, void* out) const;
  /// Calls visit(bytes, size) for consecutive ranges of the bytes at an address.
  template <class Visit>
  void visit(const void* address, int64_t bytes, const Visit& visit) const {
    constexpr int64_t at_a_time = int64_t{1} << 18;
    Spare spare;
    const auto* const first = static_cast<const uint8_t*>(address);
    for (int64_t done = 0; done < bytes; done += at_a_time) {
      const int64_t size = bytes - done < at_a_time ? bytes - done : at_a_time;
      const void* range = first + done;
      if (!has(range, size)) {
        void* const room = spare.room(size);
        read(range, size, room);
        range = room;
      }
      visit(range, size);
    }
  }
  /// Announces that the bytes at an address are about to be read; does not wait.
  void request(const void* address, int64_t bytes) const;

  /// Whether the file was read when it was opened.
  bool is_in_memory() const { return !blocks_; }
  /// Bytes of the file that are in memory.
  int64_t bytes_in_memory() const;

 private:
  static constexpr int64_t block_size = int64_t{1} << 16;
  static constexpr int32_t absent = 0, present = -1;  ///< states of blocks; others: the process that is reading it

  int64_t place_of(const void* address) const { return static_cast<const uint8_t*>(address) - begin_; }
  bool has(const void* address, int64_t bytes) const {
    if (!blocks_ || bytes == 0) return true;
    const int64_t place = place_of(address);
    for (int64_t block = place / block_size; block <= (place + bytes - 1) / block_size; ++block) {
      if (blocks_[static_cast<size_t>(block)].load(std::memory_order_acquire) != present) return false;
    }
    return true;
  }
  const void* fetch(const void* address, int64_t bytes, Spare& spare) const;
  enum class Room { within_limit, any };
  bool bring(const void* address, int64_t bytes, Room room) const;
  bool bring_block(int64_t block) const;
  void read_file(int64_t place, int64_t bytes, void* out) const;
  void read_from(int descriptor, int64_t place, int64_t bytes, void* out) const;
  void reserve(const FileLimits& limits);
  void release() noexcept;

  std::string path_;
  int descriptor_ = -1;    ///< -1 if everything is in memory
  FileIdentity identity_;  ///< in case the descriptor was closed and reused
  int64_t changed_ = 0;    ///< nanoseconds since 1970
  int64_t size_ = 0;
  uint8_t* begin_ = nullptr;
  bool block_by_block_ = false;
  std::unique_ptr<std::atomic<int32_t>[]> blocks_;  ///< NULL: everything is in memory
  mutable std::atomic<int64_t> room_{0};            ///< bytes that may still be brought
};

/// The elements at an address in a file, or in memory if `contents` is NULL: there, or in `spare`, until its next
/// use.
template <class T>
const T* read_at(const FileContents* contents, const T* address, int64_t count, Spare& spare) {
  return contents == nullptr ? address : contents->at(address, count, spare);
}

/// Reads the first `size` bytes; false if the file cannot be opened, is not a regular file or is shorter. Error(IO)
/// if it cannot be read.
bool read_beginning(const std::string& path, void* out, size_t size);

}  // namespace vtemper
