#pragma once
/* Warns about fractional counts. */

#include <vtemper/vtemper.h>

/** One line on stderr if counts are fractional, which is usually tf-idf by mistake; they are used as they are. Reads
 * rows up to the first fraction. */
void report_fractions(const char* path, const vtemper_data* data);
