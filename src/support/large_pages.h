#pragma once
// Arrays whose rows are read in any order.

#include <cstddef>

#include "support/array.h"

namespace vtemper {

/// Tells the system that memory which is ours is better kept in large pages, where it has them: a row of a large
/// array then lies on a page whose address the processor knows already. Only advice: it changes no contents and
/// cannot fail.
void prefer_large_pages(void* begin, size_t bytes);

/// Room for `capacity` elements, in large pages where it is large and fresh.
template <class T>
void reserve_large(Array<T>& array, size_t capacity) {
  array.reserve(capacity);
  prefer_large_pages(array.data(), capacity * sizeof(T));
}

}  // namespace vtemper
