#pragma once
/* Checks untrusted text (words, notes, file names, messages that quote them) and sanitises it for a terminal. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether the text is UTF-8. */
bool is_utf8(const char* text);

/** Length in bytes of the longest beginning of UTF-8 text that has at most `most` bytes and splits no character. */
size_t beginning_length(const char* text, size_t most);

/** Replaces characters that could control a terminal or reverse the line by question marks: C0, DEL, C1 and
 *  bidirectional controls. With `lines` = 1, line breaks are kept. Returns the text. */
char* outside_text(char* text, int lines);

/** printf whose result is sanitised; line breaks are kept. */
void outside_printf(FILE* stream, const char* format, ...) __attribute__((format(printf, 2, 3)));

/** Writes a sanitised copy on a single line. */
void print_outside_text(FILE* stream, const char* text);

#ifdef __cplusplus
}
#endif
