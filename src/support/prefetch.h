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

/// Called before each element i of [begin, end) is used, in their order: asks for elements that come later, ask(j), a
/// group at a time. Where elements lie on pages of their own the processor waits for a page's address when asked, but
/// looks up those of a group side by side.
template <class Ask>
void ask_in_groups(int64_t i, int64_t begin, int64_t end, const Ask& ask) {
  constexpr int64_t group = 16;
  if ((i - begin) % group != 0) return;
  const int64_t last = i + 2 * group < end ? i + 2 * group : end;
  for (int64_t j = i == begin ? begin : i + group; j < last; ++j) ask(j);
}

}  // namespace vtemper
