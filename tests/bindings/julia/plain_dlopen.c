/* Preloaded into Julia beside AddressSanitizer, which ends a program that opens a library with RTLD_DEEPBIND. */
#define _GNU_SOURCE
#include <dlfcn.h>

void* dlopen(const char* name, int flags) {
  void* (*next)(const char*, int);
  *(void**)&next = dlsym(RTLD_NEXT, "dlopen");
  return next(name, flags & ~RTLD_DEEPBIND);
}
