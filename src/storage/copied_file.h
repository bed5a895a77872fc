#pragma once
// Files, or their first bytes, copied into memory, so that later changes to the file have no effect.

#include <cstddef>
#include <cstdint>
#include <string>

namespace vtemper {

/// Files up to this size are copied by map_file. Reading that much takes some hundredths of a second; a mapping of a
/// larger file takes neither time nor memory.
constexpr int64_t largest_copied_file = int64_t{64} << 20;

/// Reads the first `size` bytes; false if the file cannot be opened, is not a regular file or is shorter. Error(IO)
/// if it cannot be read.
bool read_beginning(const std::string& path, void* out, size_t size);

}  // namespace vtemper
