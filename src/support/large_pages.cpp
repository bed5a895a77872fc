#include "support/large_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace vtemper {

void prefer_large_pages(void* begin, size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr size_t least = size_t{4} << 20;  // smaller arrays are covered by the TLB with ordinary pages
  if (bytes < least) return;
  const uintptr_t page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t address = reinterpret_cast<uintptr_t>(begin);
  const uintptr_t first = (address + page - 1) / page * page;
  const uintptr_t end = (address + bytes) / page * page;
  const int error = errno;
  madvise(static_cast<char*>(begin) + (first - address), end - first, MADV_HUGEPAGE);
  errno = error;  // systems without large pages report it through errno
#else
  static_cast<void>(begin);
  static_cast<void>(bytes);
#endif
}

}  // namespace vtemper
