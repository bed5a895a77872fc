#pragma once
// A 64-byte aligned array that grows and never shrinks; kernels use it as workspace.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace vtemper {

template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  explicit Array(size_t size) { resize(size); }
  Array(const Array& other) { append(other.data(), other.size_); }
  /// Allocates only if `other` is larger than the current capacity.
  Array& operator=(const Array& other) {
    if (this == &other) return *this;
    resize(other.size_);
    if (size_ > 0) std::memcpy(static_cast<void*>(data_.get()), other.data_.get(), size_ * sizeof(T));
    return *this;
  }
  Array(Array&&) noexcept = default;
  Array& operator=(Array&&) noexcept = default;

  /// Sets the size. New elements are zero and existing ones are kept. Allocates only beyond the current capacity.
  void resize(size_t size) {
    // Grows by half, so appending one element at a time is amortised constant.
    if (size > capacity_) reserve(size > capacity_ + capacity_ / 2 ? size : capacity_ + capacity_ / 2);
    if (size > size_) std::memset(static_cast<void*>(data_.get() + size_), 0, (size - size_) * sizeof(T));
    size_ = size;
  }

  /// Adds a copy of values that are not its own.
  void append(const T* values, size_t count) {
    if (count == 0) return;
    if (count > capacity_ - size_) reserve(std::max(size_ + count, capacity_ + capacity_ / 2));
    std::memcpy(static_cast<void*>(data_.get() + size_), values, count * sizeof(T));
    size_ += count;
  }

  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    if (capacity > static_cast<size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    std::unique_ptr<T[], Free> fresh(static_cast<T*>(::operator new (capacity * sizeof(T), std::align_val_t{64})));
    if (size_ > 0) std::memcpy(static_cast<void*>(fresh.get()), data_.get(), size_ * sizeof(T));
    data_ = std::move(fresh);
    capacity_ = capacity;
  }

  void fill(T value) {
    for (size_t i = 0; i < size_; ++i) data_[i] = value;
  }

  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

 private:
  struct Free {
    void operator()(T* pointer) const { ::operator delete (pointer, std::align_val_t{64}); }
  };
  std::unique_ptr<T[], Free> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace vtemper
