#pragma once
/* Exchanges rows and columns, for tables of genes x cells or words x documents. */

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** As corpus_read, with rows and columns exchanged, also their names; the vocabulary names the columns of the result.
 * Exits for sequences, and for rows that cannot be columns: with weights, with the same name, or none. */
vtemper_data* read_transposed(const char* path, const char* format, const char* vocabulary);

#ifdef __cplusplus
}
#endif
