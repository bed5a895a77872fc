#pragma once
/* Functions of a library that the test opens itself. */
#include <dlfcn.h>

#include <vtemper/vtemper.h>

/** The function vtemper_NAME of the opened `library` as NAME, converted by a union because ISO C has no cast for
 * it. */
#define FIND(name)                                       \
  union {                                                \
    void* object;                                        \
    __typeof__(vtemper_##name)* function;                \
  } find_##name;                                         \
  find_##name.object = dlsym(library, "vtemper_" #name); \
  assert_non_null(find_##name.object);                   \
  __typeof__(vtemper_##name)* const name = find_##name.function
