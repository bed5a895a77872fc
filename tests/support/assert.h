#pragma once
/* assert_close(actual, expected, tolerance) for C and C++: fails, printing both numbers, if they differ by more than
 * the tolerance or either is NaN. Include CMocka first (in C++ through support/cmocka.h). */

#ifdef __cplusplus
#include "support/cmocka.h"
#endif

static inline void assert_close_at(long double actual, long double expected, long double tolerance, const char* what,
                                   const char* file, int line) {
  const long double difference = actual > expected ? actual - expected : expected - actual;
  if (actual == expected || difference <= tolerance) return;
  print_error("%s is %.17Lg instead of %.17Lg (difference %.3Lg, allowed %.3Lg)\n", what, actual, expected,
              difference, tolerance);
  _fail(file, line);
}

#define assert_close(actual, expected, tolerance) \
  assert_close_at((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
