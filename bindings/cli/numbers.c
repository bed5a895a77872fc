#include "numbers.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char* format_real(char text[NUMBER_LENGTH], double value) {
  if (isnan(value)) return strcpy(text, "nan");
  if (isinf(value)) return strcpy(text, value > 0 ? "inf" : "-inf");
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(text, NUMBER_LENGTH, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  return text;
}

char* format_count(char text[NUMBER_LENGTH], int64_t value) {
  char digits[NUMBER_LENGTH];
  const int length = snprintf(digits, sizeof digits, "%" PRId64, value);
  const int sign = value < 0;
  int out = 0;
  for (int i = 0; i < length; ++i) {
    if (i > sign && (length - i) % 3 == 0) text[out++] = ',';
    text[out++] = digits[i];
  }
  text[out] = '\0';
  return text;
}

char* format_duration(char text[NUMBER_LENGTH], double seconds) {
  if (!(seconds >= 0) || seconds > 1e9) return strcpy(text, "-:--");
  const long whole = lround(seconds);
  if (whole >= 3600) {
    snprintf(text, NUMBER_LENGTH, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  } else {
    snprintf(text, NUMBER_LENGTH, "%ld:%02ld", whole / 60, whole % 60);
  }
  return text;
}

static const char blanks[] = " \t";

/* Whether the number that a function of the C library has read from `text` is all of it, but for blanks at the end,
 * and consists of these characters only: the C library also reads other blanks and hexadecimal numbers. */
static bool is_whole(const char* text, const char* end, const char* characters) {
  return end != text && end == text + strspn(text, characters) && end[strspn(end, blanks)] == '\0';
}

bool parse_integer(const char* text, int64_t* value) {
  const double largest_exact = 9007199254740992; /* 2^53 */
  text += strspn(text, blanks);
  char* end;
  errno = 0;
  const long long parsed = strtoll(text, &end, 10);
  if (is_whole(text, end, "0123456789+-") && !errno) {
    *value = parsed;
    return true;
  }
  double real;
  if (!parse_real(text, &real) || real != floor(real) || fabs(real) > largest_exact) return false;
  *value = (int64_t)real;
  return true;
}

bool parse_real(const char* text, double* value) {
  text += strspn(text, blanks);
  char* end;
  const double parsed = strtod(text, &end);
  if (!is_whole(text, end, "0123456789+-.eE") || !isfinite(parsed)) return false;
  *value = parsed;
  return true;
}
