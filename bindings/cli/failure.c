#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "output_file.h"
#include "progress.h"

static const char* command_name = NULL;

void failure_name_command(const char* name) {
  command_name = name;
}

static _Noreturn void end(int status, const char* format, va_list values) {
  progress_clear();
  output_abandon();
  fflush(stdout);
  fprintf(stderr, command_name ? "vtemper %s: " : "vtemper: ", command_name);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  exit(status);
}

void fail(const char* format, ...) {
  va_list values;
  va_start(values, format);
  end(EXIT_FAILED, format, values);
}

void fail_usage(const char* format, ...) {
  va_list values;
  va_start(values, format);
  end(EXIT_USAGE, format, values);
}

void check(vtemper_status status) {
  if (status == VTEMPER_OK) return;
  if (status == VTEMPER_ERROR_OPTION) fail_usage("%s", vtemper_last_error());
  fail("%s", vtemper_last_error());
}

void check_words(vtemper_status status) {
  if (status == VTEMPER_ERROR_ARGUMENT) fail_usage("%s", vtemper_last_error());
  check(status);
}

void* allocate(size_t count, size_t size) {
  return reallocate(NULL, count, size);
}

void* reallocate(void* memory, size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / size) fail("memory for %zu items of %zu bytes cannot be had", count, size);
  const size_t bytes = count * size;
  void* result = realloc(memory, bytes > 0 ? bytes : 1);
  if (!result) fail("memory for %zu items of %zu bytes cannot be had", count, size);
  return result;
}

char* text_of(const char* format, ...) {
  char* text = NULL;
  size_t length;
  FILE* stream = open_memstream(&text, &length);
  if (!stream) fail("memory for a text cannot be had");
  va_list values;
  va_start(values, format);
  vfprintf(stream, format, values);
  va_end(values);
  if (fclose(stream) != 0) fail("memory for a text cannot be had");
  return text;
}
