#pragma once
/* The trace of a fit: one row per report, kept in memory and written as CSV. */

#include <stdbool.h>
#include <stdint.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One report; values that were not computed are NaN (empty in the file). */
typedef struct TraceRow {
  int64_t iteration;
  double passes, seconds, temperature, step_size, elbo, objective, expected_log_likelihood, predictive;
} TraceRow;

typedef struct Trace {
  TraceRow* rows;
  int64_t count;
} Trace;

/** Adds a report, or updates the last row if it belongs to the same step. */
void trace_add(Trace* trace, const vtemper_report* report, double predictive);

/** Adds a copy of a row. */
void trace_append(Trace* trace, const TraceRow* row);

/** The last held-out score; NaN if there is none. */
double trace_last_score(const Trace* trace);

/** Converts the trace to the text of its file, which the caller frees; and back, returning false if it is invalid. */
char* trace_text(const Trace* trace);
bool trace_parse(Trace* trace, const char* text);

/** Replaces the file atomically; exits on failure. */
void trace_write(const Trace* trace, const char* path);

/** Reads the rows up to `iteration` from a file of an earlier session, so that a resumed run continues it. Does
 * nothing if the file does not exist; exits if it is not a trace. */
void trace_read(Trace* trace, const char* path, int64_t iteration);

/** Copies the rows recorded by the optimizer at multiples of report_every; they have no held-out scores. */
void trace_from_optimizer(Trace* trace, const vtemper_optimizer* optimizer);

void trace_free(Trace* trace);

#ifdef __cplusplus
}
#endif
