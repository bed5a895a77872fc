#pragma once
/* What a fit leaves in its model, as notes: how it was made and its curve, for vtemper info and vtemper report. All
 * of it follows from data, options and seed, so equal fits give equal files: there are no times and no paths in it.
 */

#include <vtemper/vtemper.h>

#include "trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Notes how `optimizer` has fitted the model to `data`, and the course of the fit. */
void fit_notes_write(vtemper_model* model, const vtemper_optimizer* optimizer, const vtemper_data* data,
                     const Trace* trace);

/** Moves what is noted of the fit that the model comes from to what was before; then the next one is noted. */
void fit_notes_before(vtemper_model* model);

/** The course of the fit from the model's notes; no rows where there is none. Seconds are NaN. */
void fit_notes_trace(const vtemper_model* model, Trace* trace);

/** One fact that was noted. */
typedef struct FitFact {
  const char* label; /**< for people */
  const char* value; /**< owned by the model */
} FitFact;

enum { FIT_FACTS = 12 };

/** The facts that the model holds, in a fixed order; returns how many. */
int fit_notes_facts(const vtemper_model* model, FitFact facts[FIT_FACTS]);

#ifdef __cplusplus
}
#endif
