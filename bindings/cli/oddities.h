#pragma once
/* Notes on data that were probably meant otherwise. */

#include <vtemper/vtemper.h>

/** A line on stderr for each: counts that are fractional, usually tf-idf by mistake; a first column of consecutive
 * numbers, usually those of the rows; a first row of them and no names, usually those of the columns; rows whose
 * values are all missing; sequences that all have one symbol, usually lines whose words are not separated by blanks.
 * The data are used as they are. */
void report_oddities(const char* path, const vtemper_data* data);

/** A line on stderr if columns of dense rows have one value in nearly all rows: components of a Gaussian mixture then
 * gather those rows, in which the variance is zero. */
void report_crowded_columns(const char* path, const vtemper_data* data);
