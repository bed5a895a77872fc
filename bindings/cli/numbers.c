#include "numbers.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

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

const char* plural(bool is_one, const char* one, const char* several) {
  return is_one ? one : several;
}

char* format_decimals(char text[NUMBER_LENGTH], double value, int decimals) {
  const double largest_plain = 1e15;
  if (fabs(value) < largest_plain) {
    snprintf(text, NUMBER_LENGTH, "%.*f", decimals, value);
  } else {
    snprintf(text, NUMBER_LENGTH, "%.15g", value);
  }
  return text;
}

/* Whether neighbours of the sorted list look alike although they differ. */
static bool look_alike(const double* sorted, int64_t count, int decimals) {
  char earlier[NUMBER_LENGTH], text[NUMBER_LENGTH];
  for (int64_t i = 1; i < count; ++i) {
    if (sorted[i] == sorted[i - 1]) continue;
    if (strcmp(format_decimals(earlier, sorted[i - 1], decimals), format_decimals(text, sorted[i], decimals)) == 0)
      return true;
  }
  return false;
}

static int by_value(const void* a, const void* b) {
  const double first = *(const double*)a, second = *(const double*)b;
  return (first > second) - (first < second);
}

int decimals_for(const double* values, int64_t count) {
  enum { LEAST_DIGITS = 6, MOST_DIGITS = 15 };
  double* sorted = allocate((size_t)count + 1, sizeof *sorted);
  int64_t numbers = 0;
  double largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (!isfinite(values[i])) continue;
    largest = fmax(largest, fabs(values[i]));
    sorted[numbers++] = values[i];
  }
  qsort(sorted, (size_t)numbers, sizeof *sorted, by_value);
  const int places =
      largest > 0 ? (int)floor(log10(largest)) + 1 : 1; /* before the decimal point; < 1: zeros after */
  int decimals = LEAST_DIGITS - places;
  const int most = MOST_DIGITS - places;
  if (decimals < 0) decimals = 0;
  while (decimals < most && decimals < MOST_DIGITS && look_alike(sorted, numbers, decimals)) ++decimals;
  free(sorted);
  return decimals > MOST_DIGITS ? MOST_DIGITS : decimals;
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
