#include "fit_notes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "failure.h"
#include "numbers.h"

/* Rows of the noted curve: more cannot be told apart in a picture. */
enum { MOST_ROWS = 1000 };

static const char trace_note[] = "fit.trace";

static const struct {
  const char* name;
  const char* label;
} facts_known[FIT_FACTS] = {
    {"fit.method", "method"},  {"fit.seed", "seed"},     {"fit.passes", "passes"},   {"fit.iterations", "steps"},
    {"fit.rows", "rows"},      {"fit.tokens", "tokens"}, {"fit.symbols", "symbols"}, {"fit.batch_size", "batch size"},
    {"fit.ended", "ended by"},
};

static void note(vtemper_model* model, const char* name, const char* text) {
  check(vtemper_model_set_note(model, name, text));
}

static void note_real(vtemper_model* model, const char* name, double value) {
  char text[NUMBER_LENGTH];
  note(model, name, format_real(text, value));
}

static const char* note_of(const vtemper_model* model, const char* name) {
  const char* text;
  check(vtemper_model_note(model, name, &text));
  return text;
}

/* The curve without its seconds, thinned evenly; rows with a held-out score and the last one stay. */
static void note_trace(vtemper_model* model, const Trace* trace) {
  const int64_t distance = (trace->count + MOST_ROWS - 1) / MOST_ROWS;
  Trace thin = {NULL, 0};
  for (int64_t i = 0; i < trace->count; ++i) {
    if (i % distance != 0 && isnan(trace->rows[i].predictive) && i < trace->count - 1) continue;
    TraceRow row = trace->rows[i];
    row.seconds = NAN;
    trace_append(&thin, &row);
  }
  char* text = trace_text(&thin);
  note(model, trace_note, text);
  free(text);
  trace_free(&thin);
}

void fit_notes_write(vtemper_model* model, const vtemper_optimizer* optimizer, const vtemper_data* data,
                     const Trace* trace) {
  vtemper_report report = {.struct_size = sizeof report};
  check(vtemper_optimizer_report(optimizer, &report));
  const char* const options[] = {"method", "seed"};
  for (int i = 0; i < 2; ++i) {
    const char* value;
    char name[64];
    check(vtemper_optimizer_option(optimizer, options[i], &value));
    snprintf(name, sizeof name, "fit.%s", options[i]);
    note(model, name, value);
  }
  /* For people to read. */
  note_real(model, "fit.passes", round(100 * report.passes) / 100);
  note_real(model, "fit.iterations", (double)report.iteration);
  if (report.iteration > 0) {
    note_real(model, "fit.batch_size", round((double)report.rows_seen / (double)report.iteration));
  }
  note_real(model, "fit.rows", (double)corpus_rows(data));
  vtemper_data_form form;
  check(vtemper_data_kind(data, &form));
  if (form != VTEMPER_DENSE)
    note_real(model, form == VTEMPER_COUNTS ? "fit.tokens" : "fit.symbols", corpus_total(data));
  note(model, "fit.ended", report.converged ? "convergence" : report.finished ? "its limit" : "interruption");
  note_trace(model, trace);
}

void fit_notes_trace(const vtemper_model* model, Trace* trace) {
  const char* text = note_of(model, trace_note);
  if (*text && !trace_parse(trace, text)) fail("the model's note %s is no trace of a fit", trace_note);
}

int fit_notes_facts(const vtemper_model* model, FitFact facts[FIT_FACTS]) {
  int count = 0;
  for (int i = 0; i < FIT_FACTS; ++i) {
    const char* value = note_of(model, facts_known[i].name);
    if (*value) facts[count++] = (FitFact){facts_known[i].label, value};
  }
  return count;
}
