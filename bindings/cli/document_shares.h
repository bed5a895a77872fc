#pragma once
/* Topic proportions of documents. */

#include <stdint.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Topic proportions [rows x topics]; the caller frees them. Exits if the model infers none.
 *  @param topics  receives their number */
double* document_shares(const vtemper_model* model, const vtemper_data* data, int64_t* topics);

#ifdef __cplusplus
}
#endif
