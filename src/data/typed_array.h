#pragma once
// Arrays whose element type is known at run time, and the dispatch to compile-time types.

#include <cstdint>
#include <utility>

#include <vtemper/vtemper.h>

#include "storage/file_contents.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

/// A borrowed array of one of the four element types; the enclosing object holds the owner.
struct TypedArray {
  const void* data = nullptr;
  vtemper_element element = VTEMPER_DOUBLE;
  const FileContents* contents = nullptr;  ///< not NULL if `data` is an address in this file, to be read by `at`

  /// The elements at an address within the array: there, or in `spare`, until its next use.
  template <class T>
  const T* at(const T* address, int64_t count, Spare& spare) const {
    return read_at(contents, address, count, spare);
  }
  /// INT32 and INT64 only.
  int64_t integer(int64_t i) const {
    Spare spare;
    return element == VTEMPER_INT32 ? *at(static_cast<const int32_t*>(data) + i, 1, spare)
                                    : *at(static_cast<const int64_t*>(data) + i, 1, spare);
  }
  /// The integer at i and the next one, read at once.
  std::pair<int64_t, int64_t> two_integers(int64_t i) const {
    Spare spare;
    const auto both = [&](const auto* integers) -> std::pair<int64_t, int64_t> {
      const auto* const there = at(integers + i, 2, spare);
      return {there[0], there[1]};
    };
    return element == VTEMPER_INT32 ? both(static_cast<const int32_t*>(data))
                                    : both(static_cast<const int64_t*>(data));
  }
  double real(int64_t i) const;
  /// The array from an element on.
  TypedArray from(int64_t i) const;
};

/// Elements of an array that belong together.
struct ElementRange {
  int64_t begin, length;
};

template <class T>
struct element_of;
template <>
struct element_of<int32_t> {
  static constexpr vtemper_element value = VTEMPER_INT32;
};
template <>
struct element_of<int64_t> {
  static constexpr vtemper_element value = VTEMPER_INT64;
};
template <>
struct element_of<float> {
  static constexpr vtemper_element value = VTEMPER_FLOAT;
};
template <>
struct element_of<double> {
  static constexpr vtemper_element value = VTEMPER_DOUBLE;
};

template <class T>
TypedArray typed_array(const T* data) {
  return {data, element_of<T>::value};
}

inline int64_t bytes_of(vtemper_element element) {
  return element == VTEMPER_INT32 || element == VTEMPER_FLOAT ? 4 : 8;
}

inline TypedArray TypedArray::from(int64_t i) const {
  return {static_cast<const char*>(data) + i * bytes_of(element), element, contents};
}

/// Calls function(address of the elements) for INT32 and INT64; those in a file must be read by TypedArray::at.
template <class Function>
auto with_integers(const TypedArray& array, const Function& function) {
  switch (array.element) {
    case VTEMPER_INT32:
      return function(static_cast<const int32_t*>(array.data));
    case VTEMPER_INT64:
      return function(static_cast<const int64_t*>(array.data));
    default:
      throw Error(VTEMPER_ERROR_ARGUMENT,
                  message("element type ", static_cast<int>(array.element),
                          " holds no integers; valid values are VTEMPER_INT32 and VTEMPER_INT64"));
  }
}

/// Calls function(address of the elements) for all four types.
template <class Function>
auto with_numbers(const TypedArray& array, const Function& function) {
  switch (array.element) {
    case VTEMPER_FLOAT:
      return function(static_cast<const float*>(array.data));
    case VTEMPER_DOUBLE:
      return function(static_cast<const double*>(array.data));
    default:
      return with_integers(array, function);
  }
}

}  // namespace vtemper
