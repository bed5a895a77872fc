#pragma once
/* Runs a fit: progress, trace, held-out scores, checkpoints, Ctrl-C. */

#include <stdbool.h>

#include <vtemper/vtemper.h>

#include "heldout.h"
#include "trace.h"

/** Settings of a run. */
typedef struct RunSettings {
  const char* title; /**< prefix of progress lines */
  bool quiet;
  const HeldOut* heldout; /**< data scored during the run, or NULL */
  int scores;             /**< approximate number of scores, including the final one */
  const char* trace_path; /**< written during the run, or NULL */
  const char* checkpoint; /**< written during the run and at the end, or NULL */
  double checkpoint_seconds;
  double more_passes; /**< passes to add to a run that has ended; 0: run to its end */
  bool divided;       /**< each of several ranks holds a share of the model, so all of them save it together */
} RunSettings;

/** Announces how much memory a fit will take, if that is much, before any of it is allocated; if it is more than the
 *  machine has, also suggests how to use less. `model`, `data`: the model and its rows, if its options can
 *  still be chosen, otherwise NULL. */
void announce_memory(double bytes, const vtemper_model* model, const vtemper_data* data);

/** Runs the optimizer until it is finished or interrupted and appends to the trace; exits if the run fails. Returns
 *  EXIT_DONE, EXIT_INTERRUPTED or, if the trace or the checkpoint could not be written, EXIT_FAILED: the fit itself
 * has not suffered. Model, trace and checkpoint are those of the last complete step. */
int run_to_end(vtemper_optimizer* optimizer, const RunSettings* settings, Trace* trace);

/** Prints why the last run returned EXIT_FAILED, once its model is saved. */
void tell_run_failure(void);
