#include "fit_notes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "failure.h"
#include "library_options.h"
#include "numbers.h"
#include "ranks.h"

/* Rows of the noted curve: more cannot be told apart in a picture. */
enum { MOST_ROWS = 1000, MOST_STARTS = 10 };

static const char trace_note[] = "fit.trace";

static const struct {
  const char* name;
  const char* label;
} facts_known[FIT_FACTS] = {
    {"fit.before", "before"},  {"fit.method", "method"},     {"fit.seed", "seed"},
    {"fit.passes", "passes"},  {"fit.iterations", "steps"},  {"fit.rows", "rows"},
    {"fit.tokens", "tokens"},  {"fit.symbols", "symbols"},   {"fit.batch_size", "batch size"},
    {"fit.ended", "ended by"}, {"fit.restarts", "restarts"}, {"ending", "warning"},
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

/* ELBO at T = 1 of every start, of many only the best and the worst, and the seed of the start that was kept; "" if
 * there was only one start. */
static char* restarts_text(const vtemper_optimizer* optimizer, const char* seed) {
  vtemper_quantity quantity = {.struct_size = sizeof quantity};
  int32_t count;
  check(vtemper_optimizer_quantity_count(optimizer, &count));
  int64_t starts = 0;
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_optimizer_quantity_info(optimizer, i, &quantity));
    if (strcmp(quantity.name, "restarts.elbo") == 0) starts = quantity.shape[0];
  }
  if (starts == 0) return text_of("%s", "");
  double* scores = allocate((size_t)starts, sizeof *scores);
  check(vtemper_optimizer_get(optimizer, "restarts.elbo", scores, starts));
  int64_t best = 0, worst = 0;
  for (int64_t i = 1; i < starts; ++i) {
    if (scores[i] > scores[best] || isnan(scores[best])) best = i;
    if (scores[i] < scores[worst] || isnan(scores[worst])) worst = i;
  }
  char number[NUMBER_LENGTH], lowest[NUMBER_LENGTH];
  const int decimals = decimals_for(scores, starts);
  TextStream text;
  text_begin(&text);
  fputs("ELBO", text.stream);
  if (starts > MOST_STARTS) {
    const double ends[] = {scores[best], scores[worst]};
    const int digits = decimals_for(ends, 2);
    fprintf(text.stream, " %s at best of %" PRId64 " starts (kept: seed %s), %s at worst",
            format_decimals(number, ends[0], digits), starts, seed, format_decimals(lowest, ends[1], digits));
    free(scores);
    return text_end(&text);
  }
  for (int64_t i = 0; i < starts; ++i) {
    fprintf(text.stream, "%s %s", i > 0 ? "," : "",
            isnan(scores[i]) ? "not known" : format_decimals(number, scores[i], decimals));
    if (i == best && !isnan(scores[i])) fprintf(text.stream, " (kept: seed %s)", seed);
  }
  free(scores);
  return text_end(&text);
}

static const char* name_of_ending(int32_t ending) {
  switch (ending) {
    case VTEMPER_ENDING_CONVERGED:
      return "convergence";
    case VTEMPER_ENDING_LENGTH:
      return "its limit";
    case VTEMPER_ENDING_TIME:
      return "its time";
    case VTEMPER_ENDING_DEADLINE:
      return "its deadline";
    default:
      return "interruption";
  }
}

void fit_notes_write(vtemper_model* model, const vtemper_optimizer* optimizer, const vtemper_data* data,
                     const Trace* trace) {
  vtemper_report report = {.struct_size = sizeof report};
  check(vtemper_optimizer_report(optimizer, &report));
  char* method = method_in_use(optimizer);
  note(model, "fit.method", method);
  free(method);
  const char* seed;
  check(vtemper_optimizer_option(optimizer, "seed", &seed));
  note(model, "fit.seed", seed);
  /* For people to read. */
  note_real(model, "fit.passes", round(100 * report.passes) / 100);
  note_real(model, "fit.iterations", (double)report.iteration);
  if (report.iteration > 0) {
    note_real(model, "fit.batch_size", round((double)report.rows_seen / (double)report.iteration));
  }
  note_real(model, "fit.rows", (double)corpus_all_rows(data));
  vtemper_data_form form;
  check(vtemper_data_form_of(data, &form));
  if (form != VTEMPER_DENSE)
    note_real(model, form == VTEMPER_COUNTS ? "fit.tokens" : "fit.symbols", ranks_sum(corpus_total(data)));
  note(model, "fit.ended", name_of_ending(report.ending));
  char* restarts = restarts_text(optimizer, note_of(model, "fit.seed"));
  note(model, "fit.restarts", *restarts ? restarts : NULL);
  free(restarts);
  note_trace(model, trace);
}

void fit_notes_before(vtemper_model* model) {
  const char *before = note_of(model, "fit.before"), *method = note_of(model, "fit.method");
  const char *passes = note_of(model, "fit.passes"), *rows = note_of(model, "fit.rows");
  if (!*method) return;
  char* text = text_of("%s%s%s, %s %s over %s %s", before, *before ? "; " : "", method, passes,
                       plural(strcmp(passes, "1") == 0, "pass", "passes"), rows,
                       plural(strcmp(rows, "1") == 0, "row", "rows"));
  note(model, "fit.before", text);
  free(text);
}

void fit_notes_trace(const vtemper_model* model, Trace* trace) {
  const char* text = note_of(model, trace_note);
  if (*text && !trace_parse(trace, text)) fail("the model's note %s is not a trace of a fit", trace_note);
}

int fit_notes_facts(const vtemper_model* model, FitFact facts[FIT_FACTS]) {
  int count = 0;
  for (int i = 0; i < FIT_FACTS; ++i) {
    const char* value = note_of(model, facts_known[i].name);
    if (*value) facts[count++] = (FitFact){facts_known[i].label, value};
  }
  return count;
}
