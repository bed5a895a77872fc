#pragma once
// Containers in files and in the caller's memory.

#include <cstdint>
#include <string>

#include "api/arguments.h"
#include "storage/container.h"
#include "support/array.h"

namespace vtemper::api {

/// Writes into `buffer` unless it is NULL. *size receives the bytes needed, also if the capacity is too small
/// (ARGUMENT).
inline void write_buffer(const ContainerWriter& writer, void* buffer, int64_t capacity, int64_t* size) {
  const int64_t needed = writer.size();
  if (buffer == nullptr) {
    *size = needed;
    return;
  }
  if (capacity < needed) {
    *size = needed;
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("argument capacity is ", capacity, "; ", needed, " bytes are needed"));
  }
  writer.write(buffer);
  *size = needed;
}

/// A complete container in the caller's memory, with its hash verified. Its arrays are read in place, or from a copy
/// in `aligned` if the memory is not aligned for the largest element.
inline ContainerReader read_buffer(const void* buffer, int64_t size, std::string_view format,
                                   Array<unsigned char>& aligned) {
  require_array(buffer, "buffer", size, "size");
  if (reinterpret_cast<uintptr_t>(buffer) % alignof(double) != 0) {
    aligned.resize(static_cast<size_t>(size));
    std::memcpy(aligned.data(), buffer, static_cast<size_t>(size));
    buffer = aligned.data();
  }
  ContainerReader reader = ContainerReader::open_buffer(buffer, size, format);
  reader.verify_payload();
  return reader;
}

}  // namespace vtemper::api
