#pragma once
/* How the command ends when something is wrong: one sentence on stderr and an exit status. */

#include <stddef.h>
#include <stdio.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Exit statuses of the command. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

/** Names the running command ("fit") in later sentences. */
void failure_name_command(const char* name);

/** Prints the sentence, takes unfinished files away and exits with EXIT_FAILED. */
void fail(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/** The same with EXIT_USAGE. */
void fail_usage(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/** Ends the command with the library's sentence unless the status is VTEMPER_OK: EXIT_USAGE for a wrong option,
 *  EXIT_FAILED otherwise. */
void check(vtemper_status status);

/** The same where a word of the user goes straight into the call: a wrong argument is a wrong usage as well. */
void check_words(vtemper_status status);

/** malloc and realloc that end the command when memory is short. */
void* allocate(size_t count, size_t size);
void* reallocate(void* memory, size_t count, size_t size);

/** A new text from a format; the caller frees it. */
char* text_of(const char* format, ...) __attribute__((format(printf, 1, 2)));

/** A text that is written like a file: begin, write to the stream, end. */
typedef struct TextStream {
  FILE* stream;
  char* text;
  size_t length;
} TextStream;

/** Both end the command where memory is short. text_end gives the text, which the caller frees. */
void text_begin(TextStream* text);
char* text_end(TextStream* text);

#ifdef __cplusplus
}
#endif
