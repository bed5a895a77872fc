#include "outside_text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <unicode/ustring.h>

#include "failure.h"

bool is_utf8(const char* text) {
  UErrorCode status = U_ZERO_ERROR;
  u_strFromUTF8(NULL, 0, NULL, text, -1, &status);
  return U_SUCCESS(status) || status == U_BUFFER_OVERFLOW_ERROR;
}

size_t beginning_length(const char* text, size_t most) {
  size_t length = strnlen(text, most);
  while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) --length;
  return length;
}

/* Bytes of the control character at this position; 0 if there is none. */
static size_t control_length(const unsigned char* text, bool lines) {
  if (*text == '\n' && lines) return 0;
  if (*text < 0x20 || *text == 0x7f) return 1;
  if (text[0] == 0xc2 && text[1] >= 0x80 && text[1] <= 0x9f) return 2; /* C1 */
  if (text[0] == 0xd8 && text[1] == 0x9c) return 2;                    /* U+061C */
  if (text[0] != 0xe2) return 0;
  const bool marks = text[1] == 0x80 && (text[2] == 0x8e || text[2] == 0x8f);    /* U+200E, U+200F */
  const bool embeddings = text[1] == 0x80 && text[2] >= 0xa8 && text[2] <= 0xae; /* U+2028 to U+202E */
  const bool isolates = text[1] == 0x81 && text[2] >= 0xa6 && text[2] <= 0xa9;   /* U+2066 to U+2069 */
  return marks || embeddings || isolates ? 3 : 0;
}

/* Bytes of the character at this position; 1 for invalid UTF-8, which may contain a one-byte C1 control. */
static size_t character_length(const unsigned char* text) {
  const size_t length = *text < 0x80 ? 1 : *text >= 0xf0 ? 4 : *text >= 0xe0 ? 3 : *text >= 0xc2 ? 2 : 0;
  for (size_t i = 1; i < length; ++i) {
    if ((text[i] & 0xc0) != 0x80) return 0;
  }
  return length;
}

char* outside_text(char* text, int lines) {
  for (unsigned char* next = (unsigned char*)text; *next;) {
    const size_t length = character_length(next);
    const size_t control = length == 0 ? 1 : control_length(next, lines != 0);
    memset(next, '?', control);
    next += control > 0 ? control : length;
  }
  return text;
}

void outside_printf(FILE* stream, const char* format, ...) {
  va_list values;
  va_start(values, format);
  char* text = text_of_list(format, values);
  va_end(values);
  fputs(outside_text(text, 1), stream);
  free(text);
}

void print_outside_text(FILE* stream, const char* text) {
  char* copy = text_of("%s", text);
  fputs(outside_text(copy, 0), stream);
  free(copy);
}
