#pragma once
// Files, or their beginnings, read into memory of our own: what happens to a file afterwards cannot harm.

#include <cstddef>
#include <cstdint>
#include <string>

namespace vtemper {

/// Bytes up to which map_file copies. Reading so many takes some hundredths of a second; beyond, a mapping takes
/// neither time nor memory.
constexpr int64_t largest_copied_file = int64_t{64} << 20;

/// The first `size` bytes; false where the file cannot be opened, is no regular file or has fewer. Error(IO) where it
/// cannot be read.
bool read_beginning(const std::string& path, void* out, size_t size);

}  // namespace vtemper
