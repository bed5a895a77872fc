#pragma once
/* Dense rows of whole numbers as counts, for models of counts. */

#include <stdbool.h>

#include <vtemper/vtemper.h>

/** The same rows as counts, with their names, row texts and notes, in memory in proportion to the entries above zero;
 *  takes ownership of `data`. Exits at the first value that is no count.
 *  @param path   what the data are called in messages   @param kind the kind of model that needs counts
 *  @param quiet  whether to leave out the message that says so */
vtemper_data* counts_of_dense(vtemper_data* data, const char* path, const char* kind, bool quiet);
