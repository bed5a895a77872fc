#pragma once
/* The model of a command, and data in its columns: counts of any format, or raw text. */

#include <stdbool.h>

#include <vtemper/vtemper.h>

#include "command.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The model that the first operand names. Exits if it cannot be read; if the second operand is a model instead, with
 * the order in which they are written. */
vtemper_model* model_operand(const Arguments* arguments);

/** Reads `path` as the arguments say (--format and --transpose, or --text with its options) and maps its columns to
 * those of the model, which was read from `model_path`. Words unknown to the model are dropped, and counted on stderr
 * unless --quiet. */
vtemper_data* model_data_read(const Arguments* arguments, const char* path, const vtemper_model* model,
                              const char* model_path, bool keep_texts);

/** As above for data that are not raw text, with the rows divided over the ranks. Collective. */
vtemper_data* model_data_divide(const Arguments* arguments, const char* path, const vtemper_model* model);

#ifdef __cplusplus
}
#endif
