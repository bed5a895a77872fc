#pragma once
/* After every fit of a test: the fitted model can be saved and loaded. The tests' programs are linked with it, so
 * that it runs whenever an optimizer is destroyed. */

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Ends the process with a message unless all parameters are finite, and the model, saved and loaded, is the same. */
void check_round_trip(const vtemper_model* model);

#ifdef __cplusplus
}
#endif
