#include "trace.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "library_options.h"
#include "numbers.h"
#include "output_file.h"

static const char header[] =
    "iteration,passes,seconds,temperature,step_size,elbo,objective,expected_log_likelihood,predictive\n";
enum { REALS = 8 };

/* The row's numbers after the iteration, in header order. */
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

void trace_append(Trace* trace, const TraceRow* row) {
  *append(trace) = *row;
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

static void write_rows(FILE* stream, const Trace* trace) {
  fputs(header, stream);
  for (int64_t i = 0; i < trace->count; ++i) {
    double* reals[REALS];
    reals_of(&trace->rows[i], reals);
    fprintf(stream, "%" PRId64, trace->rows[i].iteration);
    for (int j = 0; j < REALS; ++j) {
      char text[NUMBER_LENGTH];
      fprintf(stream, ",%s", isnan(*reals[j]) ? "" : format_real(text, *reals[j]));
    }
    fputc('\n', stream);
  }
}

void trace_write(const Trace* trace, const char* path) {
  OutputFile output;
  output_open(&output, path);
  write_rows(output.stream, trace);
  output_close(&output);
}

char* trace_text(const Trace* trace) {
  TextStream text;
  text_begin(&text);
  write_rows(text.stream, trace);
  return text_end(&text);
}

/* Parses one line of a trace; 0 if invalid. */
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

/* Adds the rows up to `iteration`; false if the stream is not a trace. */
static bool read_rows(Trace* trace, FILE* stream, int64_t iteration) {
  char line[1024];
  if (!fgets(line, sizeof line, stream) || strcmp(line, header) != 0) return false;
  TraceRow row;
  while (fgets(line, sizeof line, stream)) {
    if (!parse_row(line, &row)) return false;
    if (row.iteration <= iteration) trace_append(trace, &row);
  }
  return true;
}

bool trace_parse(Trace* trace, const char* text) {
  char* copy = text_of("%s", text);
  FILE* stream = fmemopen(copy, strlen(copy), "r");
  if (!stream) fail("not enough memory for a text");
  const bool is_trace = read_rows(trace, stream, INT64_MAX);
  fclose(stream);
  free(copy);
  return is_trace;
}

void trace_read(Trace* trace, const char* path, int64_t iteration) {
  FILE* stream = fopen(path, "r");
  if (!stream && errno == ENOENT) return;
  if (!stream) fail("%s cannot be read: %s", path, strerror(errno));
  const bool is_trace = read_rows(trace, stream, iteration);
  fclose(stream);
  if (!is_trace) fail("%s is not a trace of a fit", path);
}

void trace_from_optimizer(Trace* trace, const vtemper_optimizer* optimizer) {
  enum { COLUMNS = 8 };
  const char* const names[COLUMNS] = {"iteration", "passes", "seconds",   "temperature",
                                      "step_size", "elbo",   "objective", "expected_log_likelihood"};
  vtemper_quantity info = {.struct_size = sizeof info};
  int32_t count;
  int64_t rows = 0;
  check(vtemper_optimizer_quantity_count(optimizer, &count));
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_optimizer_quantity_info(optimizer, i, &info));
    if (strcmp(info.name, "trace.iteration") == 0) rows = info.shape[0];
  }
  const int64_t report_every = integer_in_use(optimizer, "report_every");
  double* values = allocate((size_t)rows * COLUMNS, sizeof *values);
  for (int j = 0; j < COLUMNS && rows > 0; ++j) {
    char name[64];
    snprintf(name, sizeof name, "trace.%s", names[j]);
    check(vtemper_optimizer_get(optimizer, name, values + j * rows, rows));
  }
  for (int64_t i = 0; i < rows; ++i) {
    TraceRow row = {.iteration = (int64_t)values[i], .predictive = NAN};
    if (row.iteration % report_every != 0) continue; /* skips the optimizer's first row */
    double* reals[REALS];
    reals_of(&row, reals);
    for (int j = 1; j < COLUMNS; ++j) *reals[j - 1] = values[j * rows + i];
    trace_append(trace, &row);
  }
  free(values);
}

void trace_free(Trace* trace) {
  free(trace->rows);
}
