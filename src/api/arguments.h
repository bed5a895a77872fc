#pragma once
// Argument checks of the C interface. Every message names the argument.

#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "models/model.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper::api {

template <class Pointer>
void require(const Pointer* pointer, const char* argument) {
  if (pointer == nullptr) throw Error(VTEMPER_ERROR_ARGUMENT, message("argument ", argument, " is NULL"));
}

/// Validates an enum that C callers may have set to any value; reading it as the enum would be undefined behaviour.
template <class Enum>
int32_t enum_value(const Enum& argument) {
  static_assert(sizeof(Enum) == sizeof(int32_t));
  int32_t value;
  std::memcpy(&value, &argument, sizeof value);
  return value;
}

/// A text argument: neither NULL nor invalid UTF-8.
std::string_view text_argument(const char* text, const char* argument);

/// As above, and not empty.
std::string_view name_argument(const char* text, const char* argument);

/// An index in [0, count).
void require_index(int64_t index, int64_t count, const char* argument);

/// `count` is not negative, and `array` may be NULL only if it is empty.
void require_array(const void* array, const char* argument, int64_t count, const char* count_argument);

/// Copies of texts, none of which is NULL.
std::vector<std::string> texts_argument(const char* const* texts, int64_t count, const char* argument);

/// The key of that index, in the map's order.
template <class Map>
const char* key_at(const Map& map, int32_t index) {
  require_index(index, static_cast<int64_t>(map.size()), "index");
  return std::next(map.begin(), index)->first.c_str();
}

/// `length` must equal the number of elements of the quantity.
void require_length(int64_t length, const char* quantity, int64_t size);

/// The quantity of that name; Error(ARGUMENT) with the nearest names if unknown.
const Quantity& find_quantity(const std::vector<Quantity>& quantities, std::string_view name);

/// `in` holds all elements of a quantity that can be set.
void require_settable(const Quantity& quantity, const double* in, int64_t length);

/// Row-major output for a quantity.
Sink row_major(double* out, const Quantity& quantity);

/// Output with the caller's strides, which must be positive, must not overflow int64 and must not map two elements to
/// the same address.
Sink strided(double* out, const Quantity& quantity, int64_t row_stride, int64_t column_stride);

}  // namespace vtemper::api
