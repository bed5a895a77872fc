#pragma once
// A growing array that, if the system can remap pages, never holds two copies and does not touch unused memory:
// reading a file takes about as much memory as the result.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace vtemper {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  /// `size` uninitialised elements.
  explicit Buffer(int64_t size) {
    allocate(size);
    size_ = size;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~Buffer() { std::free(data_); }

  void push(T value) {
    if (size_ == capacity_) allocate(capacity_ < 1024 ? 1024 : capacity_ + capacity_ / 2);
    data_[size_++] = value;
  }
  /// Releases unused capacity.
  void shrink() {
    if (size_ > 0 && size_ < capacity_) allocate(size_);
  }

  /// Removes the first `count` elements.
  void drop_front(int64_t count) {
    size_ -= count;
    if (size_ > 0) std::memmove(data_, data_ + count, static_cast<size_t>(size_) * sizeof(T));
  }

  int64_t size() const { return size_; }
  bool is_full() const { return size_ == capacity_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](int64_t i) { return data_[i]; }
  const T& operator[](int64_t i) const { return data_[i]; }

 private:
  void allocate(int64_t capacity) {
    if (capacity > INT64_MAX / static_cast<int64_t>(sizeof(T))) throw std::bad_alloc();
    if (capacity == 0) return;
    void* moved = std::realloc(data_, static_cast<size_t>(capacity) * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(moved);
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  int64_t size_ = 0;
  int64_t capacity_ = 0;
};

}  // namespace vtemper
