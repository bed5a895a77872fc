#pragma once
/* Which files of a folder are documents of raw text. */

#include <stdbool.h>
#include <sys/stat.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether an existing file is one that each_document (documents.h) reads from the folder, by whatever name. Exits if
 *  the folder cannot be read. */
bool is_document_below(const char* folder, const struct stat* file);

#ifdef __cplusplus
}
#endif
