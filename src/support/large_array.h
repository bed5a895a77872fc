#pragma once
// Arrays of gigabytes. The system takes seconds to hand out that much memory, which it does when the memory is first
// touched, so it is touched in parts, and between them the call can be ended.

#include <algorithm>

#include "support/array.h"
#include "support/interruption.h"

namespace vtemper {

/// Bytes of a part.
constexpr size_t bytes_at_once = size_t{16} << 20;

/// array.resize(size), which polls require_not_interrupted() between parts; the array is then shorter.
template <class T>
void resize_in_parts(Array<T>& array, size_t size) {
  constexpr size_t part = bytes_at_once / sizeof(T);
  array.reserve(size);
  while (array.size() + part < size) {
    array.resize(array.size() + part);
    require_not_interrupted();
  }
  array.resize(size);
}

/// An Array that is resized and copied in parts. Only a TimeLimit ends a copy, never the caller's interrupt: what was
/// interrupted can still be copied. Where it ends a copy onto an array of the same size, the elements are of both.
template <class T>
class LargeArray : public Array<T> {
 public:
  LargeArray() = default;
  LargeArray(const LargeArray& other) : Array<T>() {
    this->reserve(other.size());
    each_part(other, [&](const T* values, size_t count) { this->append(values, count); });
  }
  LargeArray& operator=(const LargeArray& other) {
    if (this == &other) return *this;
    if (this->size() != other.size()) return *this = LargeArray(other);
    T* out = this->data();
    each_part(other, [&](const T* values, size_t count) { out = std::copy_n(values, count, out); });
    return *this;
  }
  LargeArray(LargeArray&&) noexcept = default;
  LargeArray& operator=(LargeArray&&) noexcept = default;

  void resize(size_t size) { resize_in_parts(*this, size); }

 private:
  template <class Visit>
  static void each_part(const LargeArray& values, const Visit& visit) {
    constexpr size_t part = bytes_at_once / sizeof(T);
    for (size_t first = 0; first < values.size(); first += part) {
      if (first > 0 && time_limit_reached()) end_interrupted();
      visit(values.data() + first, std::min(part, values.size() - first));
    }
  }
};

}  // namespace vtemper
