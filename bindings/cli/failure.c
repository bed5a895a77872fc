#include "failure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output_file.h"
#include "outside_text.h"
#include "plain_message.h"
#include "progress.h"
#include "ranks.h"

static const char* command_name = NULL;

void failure_name_command(const char* name) {
  command_name = name;
}

static void print_failure(const char* format, va_list values) {
  static char line[8400]; /* static, because memory may be exhausted */
  const size_t room = sizeof line - 1;
  size_t used = (size_t)snprintf(line, room, command_name ? "%s %s: " : "%s: ", program_name(), command_name);
  if (!is_first_rank()) used += (size_t)snprintf(line + used, room - used, "rank %d: ", rank_here());
  vsnprintf(line + used, room - used, format, values);
  outside_text(line, 1);
  /* In one write: launchers merge the output of several ranks. */
  strcat(line, "\n");
  fputs(line, stderr);
}

/* Where to go on after a failure; NULL: nowhere. */
static jmp_buf* after_failure = NULL;
static char* failure_message;
static size_t failure_size;

bool attempt(void (*work)(void*), void* context, char* message, size_t size) {
  jmp_buf after;
  failure_message = message;
  failure_size = size;
  if (setjmp(after) != 0) {
    after_failure = NULL;
    return false;
  }
  after_failure = &after;
  work(context);
  after_failure = NULL;
  return true;
}

static _Noreturn void end(int status, const char* format, va_list values) {
  progress_clear();
  output_abandon();
  if (after_failure) {
    vsnprintf(failure_message, failure_size, format, values);
    longjmp(*after_failure, 1);
  }
  fflush(stdout);
  ranks_before_failure();
  print_failure(format, values);
  exit(status);
}

void fail(const char* format, ...) {
  va_list values;
  va_start(values, format);
  end(EXIT_FAILED, format, values);
}

void tell_failure(const char* format, ...) {
  va_list values;
  va_start(values, format);
  progress_clear();
  print_failure(format, values);
  va_end(values);
}

void fail_usage(const char* format, ...) {
  va_list values;
  va_start(values, format);
  end(EXIT_USAGE, format, values);
}

void check(vtemper_status status) {
  if (status == VTEMPER_OK) return;
  if (status == VTEMPER_ERROR_OPTION) fail_usage("%s", plain_message(vtemper_last_error()));
  fail("%s", plain_message(vtemper_last_error()));
}

void check_words(vtemper_status status) {
  if (status == VTEMPER_ERROR_ARGUMENT) fail_usage("%s", plain_message(vtemper_last_error()));
  check(status);
}

void* allocate(size_t count, size_t size) {
  return reallocate(NULL, count, size);
}

void* reallocate(void* memory, size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / size) fail("not enough memory for %zu items of %zu bytes", count, size);
  const size_t bytes = count * size;
  void* result = realloc(memory, bytes > 0 ? bytes : 1);
  if (!result) fail("not enough memory for %zu items of %zu bytes", count, size);
  return result;
}

char* text_of_list(const char* format, va_list values) {
  va_list again;
  va_copy(again, values);
  const int length = vsnprintf(NULL, 0, format, values);
  if (length < 0) fail("not enough memory for a text");
  char* text = allocate((size_t)length + 1, 1);
  const int written = vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  if (written != length) fail("not enough memory for a text");
  return text;
}

char* text_of(const char* format, ...) {
  va_list values;
  va_start(values, format);
  char* text = text_of_list(format, values);
  va_end(values);
  return text;
}

void text_begin(TextStream* text) {
  *text = (TextStream){NULL, NULL, 0};
  text->stream = open_memstream(&text->text, &text->length);
  if (!text->stream) fail("not enough memory for a text");
}

char* text_end(TextStream* text) {
  /* Out of memory either sets the stream's error flag or leaves no text; both occur. */
  const bool whole = fflush(text->stream) == 0 && !ferror(text->stream);
  const bool closed = fclose(text->stream) == 0;
  if (!whole || !closed || !text->text) fail("not enough memory for a text");
  return text->text;
}
