#pragma once
/* valgrind makes a test some fifty times slower and finds in a few cases what it would find in all of them. Under
   valgrind, which gate.valgrind indicates by VTEMPER_VALGRIND, tests run only a few cases. For C and C++; sanitizer.h
   also covers the sanitizers. */

#include <stdlib.h>

static inline int under_valgrind(void) {
  return getenv("VTEMPER_VALGRIND") != NULL;
}
