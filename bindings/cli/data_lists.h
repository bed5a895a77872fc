#pragma once
/* What data carry besides their values, as lists. The caller frees a list; the texts in it are those of the data. */

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The names of the columns; NULL if they have none. */
const char** column_names(const vtemper_data* data);
/** The weights of the rows; NULL if all are 1. */
double* row_weights(const vtemper_data* data);
/** The texts of a field of the rows, "" where there is none. */
const char** row_texts(const vtemper_data* data, const char* field);

#ifdef __cplusplus
}
#endif
