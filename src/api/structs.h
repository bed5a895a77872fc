#pragma once
// Structs in the C interface begin with struct_size, set by the caller: the library writes what fits, zeroes the rest
// of a larger struct, and refuses zero.

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "api/arguments.h"

namespace vtemper::api {

/// Larger sizes come from uninitialised memory.
constexpr size_t largest_struct = 4096;

/// Refuses an implausible struct_size, before any work is done.
template <class Struct>
void require_struct(const Struct* out, const char* argument) {
  require(out, argument);
  if (out->struct_size == 0 || out->struct_size > largest_struct) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("argument ", argument, " has struct_size ", uint64_t{out->struct_size},
                        "; set it to sizeof the struct before the call"));
  }
}

/// Copies what fits and keeps the caller's struct_size. `out` has passed require_struct.
template <class Struct>
void write_struct(Struct full, Struct* out) {
  full.struct_size = out->struct_size;
  const size_t size = full.struct_size, known = std::min(size, sizeof(Struct));
  std::memcpy(static_cast<void*>(out), &full, known);
  std::memset(reinterpret_cast<char*>(out) + known, 0, size - known);
}

/// The public description of a quantity.
vtemper_quantity describe(const Quantity& quantity);

}  // namespace vtemper::api
