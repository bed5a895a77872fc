#pragma once
/* Error exits of the command: one message on stderr and an exit status. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Exit statuses of the command. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

/** Sets the name of the running command ("fit") for error messages. */
void failure_name_command(const char* name);

/** Prints the message, removes unfinished files and exits with EXIT_FAILED. */
void fail(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/** As above, with EXIT_USAGE. */
void fail_usage(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/** Does work whose failure must not end the command: returns false where it would have ended, with the message in
 *  `message` [size]. What the work had allocated is lost. */
bool attempt(void (*work)(void*), void* context, char* message, size_t size);

/** Prints the message as fail does, but returns. */
void tell_failure(const char* format, ...) __attribute__((format(printf, 1, 2)));

/** Exits with the library's message unless the status is VTEMPER_OK: with EXIT_USAGE for an invalid option, otherwise
 *  EXIT_FAILED. */
void check(vtemper_status status);

/** As above for calls that take a user's word directly: an invalid argument is a usage error as well. */
void check_words(vtemper_status status);

/** malloc and realloc that exit when memory is exhausted. */
void* allocate(size_t count, size_t size);
void* reallocate(void* memory, size_t count, size_t size);

/** printf into a new string; the caller frees it. */
char* text_of(const char* format, ...) __attribute__((format(printf, 1, 2)));

/** vprintf into a new string; the caller frees it. */
char* text_of_list(const char* format, va_list values) __attribute__((format(printf, 1, 0)));

/** A string written through a stream: begin, write to the stream, end. */
typedef struct TextStream {
  FILE* stream;
  char* text;
  size_t length;
} TextStream;

/** Both exit when memory is exhausted. text_end returns the string, which the caller frees. */
void text_begin(TextStream* text);
char* text_end(TextStream* text);

#ifdef __cplusplus
}
#endif
