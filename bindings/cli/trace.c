#include "trace.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "numbers.h"
#include "output_file.h"

static const char header[] =
    "iteration,passes,seconds,temperature,step_size,elbo,objective,expected_log_likelihood,predictive\n";
enum { REALS = 8 };

/* The row's numbers after the iteration, in the order of the header. */
static void reals_of(TraceRow* row, double* reals[REALS]) {
  double* const all[REALS] = {&row->passes,
                              &row->seconds,
                              &row->temperature,
                              &row->step_size,
                              &row->elbo,
                              &row->objective,
                              &row->expected_log_likelihood,
                              &row->predictive};
  memcpy(reals, all, sizeof all);
}

static TraceRow* append(Trace* trace) {
  if ((trace->count & (trace->count - 1)) == 0) {
    trace->rows = reallocate(trace->rows, trace->count ? 2 * (size_t)trace->count : 1, sizeof *trace->rows);
  }
  return &trace->rows[trace->count++];
}

void trace_add(Trace* trace, const vtemper_report* report, double predictive) {
  TraceRow* last = trace->count > 0 ? &trace->rows[trace->count - 1] : NULL;
  if (last && last->iteration == report->iteration) {
    if (!isnan(predictive)) last->predictive = predictive;
    return;
  }
  *append(trace) = (TraceRow){report->iteration, report->passes, report->seconds,   report->temperature,
                              report->step_size, report->elbo,   report->objective, report->expected_log_likelihood,
                              predictive};
}

double trace_last_score(const Trace* trace) {
  for (int64_t i = trace->count - 1; i >= 0; --i) {
    if (!isnan(trace->rows[i].predictive)) return trace->rows[i].predictive;
  }
  return NAN;
}

void trace_write(const Trace* trace, const char* path) {
  OutputFile output;
  output_open(&output, path);
  fputs(header, output.stream);
  for (int64_t i = 0; i < trace->count; ++i) {
    double* reals[REALS];
    reals_of(&trace->rows[i], reals);
    fprintf(output.stream, "%" PRId64, trace->rows[i].iteration);
    for (int j = 0; j < REALS; ++j) {
      char text[NUMBER_LENGTH];
      fprintf(output.stream, ",%s", isnan(*reals[j]) ? "" : format_real(text, *reals[j]));
    }
    fputc('\n', output.stream);
  }
  output_close(&output);
}

/* Reads one line of a trace; 0 where it is none. */
static int parse_row(char* line, TraceRow* row) {
  double* reals[REALS];
  reals_of(row, reals);
  char* next = line;
  char* field = next;
  for (int j = -1; j < REALS; ++j) {
    field = next;
    char* end = field + strcspn(field, ",\n");
    if ((*end == ',') != (j < REALS - 1)) return 0;
    next = end + 1;
    *end = '\0';
    if (j < 0) {
      if (!parse_integer(field, &row->iteration)) return 0;
    } else if (!*field) {
      *reals[j] = NAN;
    } else if (!parse_real(field, reals[j])) {
      return 0;
    }
  }
  return 1;
}

void trace_read(Trace* trace, const char* path, int64_t iteration) {
  FILE* stream = fopen(path, "r");
  if (!stream && errno == ENOENT) return;
  if (!stream) fail("%s cannot be read: %s", path, strerror(errno));
  char line[1024];
  int is_trace = fgets(line, sizeof line, stream) && strcmp(line, header) == 0;
  TraceRow row;
  while (is_trace && fgets(line, sizeof line, stream)) {
    is_trace = parse_row(line, &row);
    if (is_trace && row.iteration <= iteration) *append(trace) = row;
  }
  fclose(stream);
  if (!is_trace) fail("%s is no trace of a fit, so the resumed run cannot continue it", path);
}

void trace_free(Trace* trace) {
  free(trace->rows);
}
