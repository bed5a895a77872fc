#pragma once
/* Notes that a fit stores in its model: how it was made and its trace, for vtemper info and vtemper report. They are
 * determined by data, options and seed, without times or paths, so identical fits give identical files.
 * */

#include <vtemper/vtemper.h>

#include "trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Records how `optimizer` fitted the model to `data`, and the trace of the fit. */
void fit_notes_write(vtemper_model* model, const vtemper_optimizer* optimizer, const vtemper_data* data,
                     const Trace* trace);

/** Turns the notes of the model's last fit into those of an earlier fit, before the next one is recorded. */
void fit_notes_before(vtemper_model* model);

/** The trace of the fit from the model's notes; empty if there is none. Seconds are NaN. */
void fit_notes_trace(const vtemper_model* model, Trace* trace);

/** A recorded fact. */
typedef struct FitFact {
  const char* label; /**< human-readable */
  const char* value; /**< owned by the model */
} FitFact;

enum { FIT_FACTS = 12 };

/** The recorded facts of a model, in a fixed order; returns their number. */
int fit_notes_facts(const vtemper_model* model, FitFact facts[FIT_FACTS]);

#ifdef __cplusplus
}
#endif
