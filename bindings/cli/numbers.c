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

bool parse_integer(const char* text, int64_t* value) {
  char* end;
  errno = 0;
  const long long parsed = strtoll(text, &end, 10);
  if (end == text || *end || errno) return false;
  *value = parsed;
  return true;
}

bool parse_real(const char* text, double* value) {
  char* end;
  const double parsed = strtod(text, &end);
  if (end == text || *end || !isfinite(parsed)) return false;
  *value = parsed;
  return true;
}
