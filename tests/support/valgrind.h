#pragma once
/* valgrind makes a test some fifty times slower, and finds in a few cases what it would find in all of them: with it,
   which gate.valgrind tells by VTEMPER_VALGRIND, tests go through a few. For C and C++; sanitizer.h also knows the
   sanitizers. */

#include <stdlib.h>

static inline int under_valgrind(void) {
  return getenv("VTEMPER_VALGRIND") != NULL;
}
