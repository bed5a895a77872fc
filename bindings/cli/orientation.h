#pragma once
/* Whether the rows of data, rather than their columns, are the columns of a model: a file that was, or was not, to be
 * turned by --transpose. A model does not keep that option: it belongs to a file, and the next one may be turned. */

#include <stdbool.h>

#include <vtemper/vtemper.h>

#include "command.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Exits with advice about --transpose if the rows of the data bear the names of the model's columns and no column
 * does, or if there are too many columns, or for points too few, and as many rows as the model has columns. A number
 * of rows that may be a chance is a note on stderr, unless --quiet.
 *  @param may_grow  the model can be extended by columns, so that more of them are no error */
void require_orientation(const Arguments* arguments, const vtemper_data* data, const char* path,
                         const vtemper_model* model, bool may_grow);

#ifdef __cplusplus
}
#endif
