#pragma once
// Prefetching memory that is read soon.

#include <cstdint>

namespace vtemper {

/// Prefetches `bytes` bytes; the address need not be valid. The empty asm statement keeps the compiler from treating
/// a function that only prefetches as free of side effects and dropping the calls to it.
inline void prefetch(const void* address, int64_t bytes) {
  constexpr int64_t line = 64;
  const char* first = static_cast<const char*>(address);
  for (int64_t offset = 0; offset < bytes; offset += line) {
    __builtin_prefetch(first + offset);
    __asm__ volatile("");
  }
}

}  // namespace vtemper
