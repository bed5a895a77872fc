#pragma once
/* The package descriptions of a Debian index: the files *Translation-en* that apt keeps, plain or compressed. */

#include <stdint.h>

/** Writes the English long descriptions (synopsis and body), one a line, without repetitions.
 *  @param lists  folder of the index, such as /var/lib/apt/lists
 *  @param path   the text file written
 *  Returns the number of descriptions; 0, and no file, where the folder has no such index or apt is missing. */
int64_t debian_descriptions(const char* lists, const char* path);
