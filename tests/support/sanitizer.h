#pragma once
// A sanitizer or valgrind makes a test some fifty times slower and finds in a few cases what it would find in all of
// them. The optimised build runs all cases.

#include "support/valgrind.h"

namespace vtemper::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool has_sanitizer = true;
#else
constexpr bool has_sanitizer = false;
#endif

/// `few` with a sanitizer or under valgrind, otherwise `all`.
template <class T>
T unless_sanitized(T all, T few) {
  return has_sanitizer || under_valgrind() ? few : all;
}

}  // namespace vtemper::test
