#pragma once
/* What a file is that the library could not read, and what its user can do. */

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Exits if the file, whose format was not named and which could not be read, is a folder or raw text, for which the
 * command has options; returns where the library's message tells more.
 *  @param needed  what the model needs */
void refuse_unreadable(const char* path, vtemper_status status, vtemper_data_form needed);

#ifdef __cplusplus
}
#endif
