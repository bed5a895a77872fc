#pragma once
/* Data in the columns of a model: counts of any format, or raw text. */

#include <stdbool.h>

#include <vtemper/vtemper.h>

#include "command.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Reads `path` as the arguments say (--format, or --text and where the documents are) and brings its columns into
 * the order of the model, which came from `model_path`. Words that the model does not know are left out, and counted
 * on stderr unless --quiet. */
vtemper_data* model_data_read(const Arguments* arguments, const char* path, const vtemper_model* model,
                              const char* model_path, bool keep_texts);

/** The same of data that are not raw text, with the rows divided over the ranks, all of which call it. */
vtemper_data* model_data_divide(const Arguments* arguments, const char* path, const vtemper_model* model);

#ifdef __cplusplus
}
#endif
