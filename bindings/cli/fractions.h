#pragma once
/* Counts that are no counts. */

#include <vtemper/vtemper.h>

/** One line on stderr where counts hold fractions, which most often are tf-idf by mistake: they are taken as they
 * are. Reads rows up to the first fraction. */
void report_fractions(const char* path, const vtemper_data* data);
