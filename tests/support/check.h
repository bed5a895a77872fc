#pragma once
// Comparisons shared by the fixtures of several models.

#include <cstdio>
#include <cstring>
#include <vector>

#include "support/cmocka.h"

namespace fixtures {

/// Fails the test with a message that says what was compared; the tolerance is relative to `expected`, or to `scale`
/// if that is larger.
inline void check_close(const char* what, long double value, long double expected, long double tolerance,
                        long double scale = 0) {
  const auto magnitude = [](long double x) { return x < 0 ? -x : x; };
  const long double size = magnitude(expected) > scale ? magnitude(expected) : scale;
  const long double difference = magnitude(value - expected);
  if (difference <= tolerance * size) return;
  std::printf("%s: %.17Lg instead of %.17Lg (relative difference %.3Lg, allowed %.3Lg)\n", what, value, expected,
              difference / size, tolerance);
  assert_true(false);
}

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

}  // namespace fixtures
