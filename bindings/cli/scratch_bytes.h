#pragma once
// Bytes that are written sequentially and read later: in memory, or in an unnamed file if they may not fit in memory.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

class ScratchBytes {
 public:
  /// `folder`: where the file is created; empty: bytes stay in memory.
  explicit ScratchBytes(std::string folder) : folder_(std::move(folder)) {}
  ScratchBytes(const ScratchBytes&) = delete;
  ScratchBytes& operator=(const ScratchBytes&) = delete;
  ~ScratchBytes();

  /// Exits the command if the disk is full or fails.
  void append(const void* bytes, size_t size) {
    const auto* begin = static_cast<const char*>(bytes);
    memory_.insert(memory_.end(), begin, begin + size);
    if (memory_.size() >= block_size && !folder_.empty()) write();
  }
  size_t size() const { return written_ + memory_.size(); }

  /// Calls visit(bytes, size) for consecutive ranges of bytes.
  template <class Visit>
  void visit(const Visit& visit) const {
    std::vector<char> block(written_ > 0 ? block_size : 0);
    for (size_t at = 0; at < written_;) {
      const size_t length = read(at, block);
      visit(block.data(), length);
      at += length;
    }
    visit(memory_.data(), memory_.size());
  }

  /// All bytes as an array; nothing may be appended afterwards.
  const void* all();

 private:
  static constexpr size_t block_size = size_t{1} << 18;

  void write();
  size_t read(size_t at, std::vector<char>& block) const;
  [[noreturn]] void refuse(const char* what) const;

  std::string folder_;
  std::vector<char> memory_;  ///< the last bytes
  size_t written_ = 0;        ///< bytes of the file
  int file_ = -1;
  void* mapping_ = nullptr;
};

/// An array of numbers.
template <class T>
class ScratchArray {
 public:
  explicit ScratchArray(const std::string& folder) : bytes_(folder) {}
  void push(T value) { bytes_.append(&value, sizeof value); }
  int64_t size() const { return static_cast<int64_t>(bytes_.size() / sizeof(T)); }
  const T* all() { return static_cast<const T*>(bytes_.all()); }

 private:
  ScratchBytes bytes_;
};
