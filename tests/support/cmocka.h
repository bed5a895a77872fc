#pragma once
// CMocka for C++: its header needs these before it and C linkage, and defines macros with names that C++ code uses.

extern "C" {
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// After the four above, which it needs.
#include <cmocka.h>
}

#undef fail
#undef skip
