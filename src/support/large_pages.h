#pragma once
// Large pages for arrays whose rows are read in random order.

#include <cstddef>

#include "support/array.h"

namespace vtemper {

/// Advises the system to back this memory with large pages, so that random row accesses miss the TLB less often.
/// Advice only: contents stay as they are and it cannot fail.
void prefer_large_pages(void* begin, size_t bytes);

/// Reserves `capacity` elements, in large pages if the allocation is new and large.
template <class T>
void reserve_large(Array<T>& array, size_t capacity) {
  array.reserve(capacity);
  prefer_large_pages(array.data(), capacity * sizeof(T));
}

}  // namespace vtemper
