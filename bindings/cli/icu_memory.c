#include "icu_memory.h"

#include <stdlib.h>

#include <unicode/uclean.h>

#include "failure.h"

static void* U_CALLCONV reallocate_for_icu(const void* context, void* memory, size_t bytes) {
  (void)context;
  void* result = realloc(memory, bytes);
  if (!result) fail("not enough memory to find the words of a text");
  return result;
}

static void* U_CALLCONV allocate_for_icu(const void* context, size_t bytes) {
  return reallocate_for_icu(context, NULL, bytes);
}

static void U_CALLCONV free_for_icu(const void* context, void* memory) {
  (void)context;
  free(memory);
}

void icu_memory_set(void) {
  UErrorCode status = U_ZERO_ERROR;
  u_setMemoryFunctions(NULL, allocate_for_icu, reallocate_for_icu, free_for_icu, &status);
  if (U_FAILURE(status)) fail("ICU cannot be started: %s", u_errorName(status));
}
