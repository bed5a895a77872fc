#pragma once
// Checks of what callers hand in. Every sentence names the argument.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "models/model.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper::api {

template <class Pointer>
void require(const Pointer* pointer, const char* argument) {
  if (pointer == nullptr) throw Error(VTEMPER_ERROR_ARGUMENT, sentence("argument ", argument, " is NULL"));
}

/// The value of an enum that C callers may have set to anything; reading it as the enum would be undefined.
template <class Enum>
int32_t enum_value(const Enum& argument) {
  static_assert(sizeof(Enum) == sizeof(int32_t));
  int32_t value;
  std::memcpy(&value, &argument, sizeof value);
  return value;
}

/// A text argument: not NULL, valid UTF-8.
std::string_view text_argument(const char* text, const char* argument);

/// The same, not empty.
std::string_view name_argument(const char* text, const char* argument);

/// An index in [0, count).
void require_index(int64_t index, int64_t count, const char* argument);

/// A count that is not negative, of an array that may be NULL only when it is empty.
void require_array(const void* array, const char* argument, int64_t count, const char* count_argument);

/// `length` must be the size of the quantity, to the element.
void require_length(int64_t length, const char* quantity, int64_t size);

/// The quantity of that name; ARGUMENT with the nearest names where there is none.
const Quantity& find_quantity(const std::vector<Quantity>& quantities, std::string_view name);

/// `in` holds the whole of a quantity that may be set.
void require_settable(const Quantity& quantity, const double* in, int64_t length);

/// Row-major output of a quantity.
Sink row_major(double* out, const Quantity& quantity);

/// Output with the caller's strides, which must be positive, stay within int64 and give every element its own place.
Sink strided(double* out, const Quantity& quantity, int64_t row_stride, int64_t column_stride);

}  // namespace vtemper::api
