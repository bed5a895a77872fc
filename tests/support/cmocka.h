#pragma once
// CMocka for C++: its header needs these headers before it and C linkage, and defines macros whose names C++ code
// uses.

extern "C" {
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// after the four headers above, which it needs
#include <cmocka.h>
}

#undef fail
#undef skip
