#pragma once
/* After every fit of a test: the fitted model can be saved and loaded. The tests' programs are linked with it, so
 * that it runs whenever an optimizer is destroyed. */

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Ends the process with a message unless all parameters are finite, and the model, saved and loaded, is the same. */
void check_round_trip(const vtemper_model* model);

/** The same for the model of an optimizer that has taken a step and is not one of several ranks, which save together.
 */
void check_fit_round_trip(const vtemper_optimizer* optimizer);

#ifdef __cplusplus
}
#endif
