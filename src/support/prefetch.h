#pragma once
// Asking for memory that is soon read.

#include <cstdint>

namespace vtemper {

/// Brings `bytes` bytes nearer to the processor, which need not be there. The empty statement keeps the compiler from
/// taking a function that only prefetches for one without an effect, whose calls it would leave out.
inline void prefetch(const void* address, int64_t bytes) {
  constexpr int64_t line = 64;
  const char* first = static_cast<const char*>(address);
  for (int64_t offset = 0; offset < bytes; offset += line) {
    __builtin_prefetch(first + offset);
    __asm__ volatile("");
  }
}

}  // namespace vtemper
