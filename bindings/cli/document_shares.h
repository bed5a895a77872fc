#pragma once
/* Documents and their shares of topics. */

#include <stdint.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Shares of the topics [rows x topics]; the caller frees them. Ends the command where the model infers none.
 *  @param topics  receives how many */
double* document_shares(const vtemper_model* model, const vtemper_data* data, int64_t* topics);

#ifdef __cplusplus
}
#endif
