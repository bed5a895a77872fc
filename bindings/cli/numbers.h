#pragma once
/* Numbers as text. The command never calls setlocale, so the locale stays "C". */

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NUMBER_LENGTH = 40 };

/** The shortest text that parses back to the same double; "nan", "inf" or "-inf" for non-finite values. Returns
 * `text`. */
char* format_real(char text[NUMBER_LENGTH], double value);

/** An integer with thousands separated by commas, for human-readable output. Returns `text`. */
char* format_count(char text[NUMBER_LENGTH], int64_t value);

/** The word that goes with a number. */
const char* plural(bool is_one, const char* one, const char* several);

/** Several values in plain decimal notation, with as many significant digits, 6 to 15, as tell apart those that
 * differ: the decimals that every value needs. Those of magnitude 1e15 and more have an exponent.
 *  @param values  [count] the list; values that are not numbers are ignored
 *  @return the number of decimals, for format_decimals */
int decimals_for(const double* values, int64_t count);
char* format_decimals(char text[NUMBER_LENGTH], double value, int decimals);

/** Seconds as 0:07, 12:30 or 1:02:03, for human-readable output. Returns `text`. */
char* format_duration(char text[NUMBER_LENGTH], double seconds);

/** Whether the whole text is a number as the library's options accept it: decimal, blanks around it, a whole one also
 * as 1e3; `value` receives it. */
bool parse_integer(const char* text, int64_t* value);
bool parse_real(const char* text, double* value);

#ifdef __cplusplus
}
#endif
