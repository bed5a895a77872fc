#pragma once
/* The course of a fit: one row a report, kept in memory and written as CSV. */

#include <stdbool.h>
#include <stdint.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One report; numbers that were not computed are NaN (empty in the file). */
typedef struct TraceRow {
  int64_t iteration;
  double passes, seconds, temperature, step_size, elbo, objective, expected_log_likelihood, predictive;
} TraceRow;

typedef struct Trace {
  TraceRow* rows;
  int64_t count;
} Trace;

/** Adds a report, or completes the last row where that is of the same step. */
void trace_add(Trace* trace, const vtemper_report* report, double predictive);

/** Adds a copy of a row. */
void trace_append(Trace* trace, const TraceRow* row);

/** The last held-out score; NaN where there is none. */
double trace_last_score(const Trace* trace);

/** The file as a text, which the caller frees; and the rows of such a text, false where it is none. */
char* trace_text(const Trace* trace);
bool trace_parse(Trace* trace, const char* text);

/** Writes the file whole. Ends the command where that fails. */
void trace_write(const Trace* trace, const char* path);

/** Takes the rows up to `iteration` from a file of an earlier session, so that a resumed run continues it. Nothing
 * where the file does not exist; ends the command where it is no trace. */
void trace_read(Trace* trace, const char* path, int64_t iteration);

/** Takes the rows that the optimizer has kept itself, at multiples of report_every; they have no held-out scores. */
void trace_from_optimizer(Trace* trace, const vtemper_optimizer* optimizer);

void trace_free(Trace* trace);

#ifdef __cplusplus
}
#endif
