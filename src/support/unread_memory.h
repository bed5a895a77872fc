#pragma once
// Reserved memory whose contents have not been read yet: with AddressSanitizer an access to it is an error.

#include <cstddef>
#include <cstdint>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace vtemper {

#ifdef __SANITIZE_ADDRESS__
inline void mark_unread(const void* begin, int64_t bytes) {
  __asan_poison_memory_region(begin, static_cast<size_t>(bytes));
}
inline void mark_read(const void* begin, int64_t bytes) {
  __asan_unpoison_memory_region(begin, static_cast<size_t>(bytes));
}
#else
inline void mark_unread(const void*, int64_t) {}
inline void mark_read(const void*, int64_t) {}
#endif

}  // namespace vtemper
