#pragma once
/* A fit from its first step to its last: progress, trace, held-out scores, checkpoints, Ctrl-C. */

#include <stdbool.h>

#include <vtemper/vtemper.h>

#include "heldout.h"
#include "trace.h"

/** What goes with a run. */
typedef struct RunSettings {
  const char* title; /**< begins the lines of progress */
  bool quiet;
  const HeldOut* heldout; /**< scored along the way, or NULL */
  int scores;             /**< about how many times, the end included */
  const char* trace_path; /**< written along the way, or NULL */
  const char* checkpoint; /**< written along the way and at the end, or NULL */
  double checkpoint_seconds;
  int64_t rows; /**< of the data: a pass is so many rows, also where statistics stand for more; 0: the library's */
  double more_passes; /**< passes beyond those of the run, which has ended; 0: to its end */
} RunSettings;

/** Tells how much memory a fit will take, where that is much: before any of it is allocated; and what would take less
 *  where that is more than there is. `model`: of a fit whose options can still be chosen, or NULL. */
void announce_memory(double bytes, const vtemper_model* model);

/** Runs the optimizer until it is finished or interrupted, adding to the trace; ends the command where the run fails.
 *  Returns EXIT_DONE or EXIT_INTERRUPTED, with model, trace and checkpoint those of the last whole step. */
int run_to_end(vtemper_optimizer* optimizer, const RunSettings* settings, Trace* trace);
