#pragma once
// Comparisons shared by the fixtures of several models.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "support/cmocka.h"

namespace fixtures {

/// Fails the test with a message that says what was compared; the tolerance is relative to `expected`, or to `scale`
/// if that is larger.
inline void check_close(std::string_view what, long double value, long double expected, long double tolerance,
                        long double scale = 0) {
  const auto magnitude = [](long double x) { return x < 0 ? -x : x; };
  const long double size = magnitude(expected) > scale ? magnitude(expected) : scale;
  const long double difference = magnitude(value - expected);
  if (difference <= tolerance * size) return;
  std::printf("%.*s: %.17Lg instead of %.17Lg (relative difference %.3Lg, allowed %.3Lg)\n",
              static_cast<int>(what.size()), what.data(), value, expected, difference / size, tolerance);
  assert_true(false);
}

/// Every element; the tolerance is relative to the largest of `expected`, or to `scale` if that is larger.
inline void check_close(std::string_view what, const std::vector<double>& values, const std::vector<double>& expected,
                        double tolerance, double scale = 0) {
  assert_int_equal(values.size(), expected.size());
  for (const double value : expected) scale = std::max(scale, std::abs(value));
  for (size_t i = 0; i < values.size(); ++i) {
    check_close(std::string(what) + " " + std::to_string(i), values[i], expected[i], tolerance, scale);
  }
}

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

}  // namespace fixtures
