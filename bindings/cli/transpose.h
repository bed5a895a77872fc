#pragma once
/* Exchanges rows and columns, for tables of genes x cells or words x documents. */

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Counts or dense rows with their rows as columns, in memory as a whole; takes ownership of `data`. The names of
 * rows become those of columns and the other way round. Exits for sequences, and for rows that cannot be columns:
 * with weights, or with the same name. */
vtemper_data* transposed(vtemper_data* data, const char* path);

#ifdef __cplusplus
}
#endif
