#pragma once
/* Package descriptions from a Debian index: the files *Translation-en* kept by apt, plain or compressed. */

#include <stdint.h>

/** Writes the English long descriptions (synopsis and body), one per line, without duplicates.
 *  @param lists  folder of the index, such as /var/lib/apt/lists
 *  @param path   the text file to write
 *  Returns the number of descriptions; 0, and no file is written, if the folder has no such index or apt is
 *  missing. */
int64_t debian_descriptions(const char* lists, const char* path);
