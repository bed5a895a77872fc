#include "run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "failure.h"
#include "interrupt.h"
#include "numbers.h"
#include "progress.h"

static const double seconds_between_traces = 10;
/* What the user is told in advance. */
static const double much_memory = 1e9, much_time = 60, seconds_before_estimate = 1;

/* What the monitor works with. */
typedef struct Watch {
  const RunSettings* settings;
  const vtemper_optimizer* optimizer;
  vtemper_model* model;
  Trace* trace;
  Progress progress;
  int64_t report_every;
  int scores_done;    /**< marks of the run passed so far, of settings->scores */
  double last_saved;  /**< clock */
  double last_traced; /**< clock */
  double memory;      /**< bytes that the run will take, about; 0: not known */
  bool estimated;     /**< the estimate of the time is done with */
  char failure[1024]; /**< why the monitor stopped the run, if not for Ctrl-C; "" otherwise */
} Watch;

/* Keeps the sentence of a failure, since later calls may bring another. */
static void keep_failure(Watch* watch, vtemper_status status) {
  if (status != VTEMPER_OK) snprintf(watch->failure, sizeof watch->failure, "%s", vtemper_last_error());
}

/* The value of a numeric option; infinite where it is "auto" or 0. */
static double option_or_infinity(const vtemper_optimizer* optimizer, const char* name) {
  const char* text;
  double value;
  check(vtemper_optimizer_option(optimizer, name, &text));
  return parse_real(text, &value) && value > 0 ? value : INFINITY;
}

static RunLimits limits_of(const vtemper_optimizer* optimizer) {
  double steps;
  check(vtemper_optimizer_get(optimizer, "steps_total", &steps, 1));
  return (RunLimits){.iterations = steps > 0 ? steps : INFINITY,
                     .seconds = option_or_infinity(optimizer, "deadline")};
}

/* Marks passed when so much of the run is done. */
static int marks(const Watch* watch, const vtemper_report* report) {
  return (int)floor(run_share(&watch->progress.limits, report) * watch->settings->scores + 1e-9);
}

/* Scores held-out data where there is some; NaN otherwise. */
static double score(Watch* watch) {
  double value = NAN;
  if (watch->settings->heldout) keep_failure(watch, heldout_score(watch->settings->heldout, watch->model, &value));
  return value;
}

static void save_checkpoint(Watch* watch) {
  keep_failure(watch, vtemper_optimizer_save(watch->optimizer, watch->settings->checkpoint));
  watch->last_saved = clock_seconds();
}

/* A size in the largest unit that leaves a digit before the point. */
static char* format_bytes(char text[NUMBER_LENGTH], double bytes) {
  const char* const units[] = {"kB", "MB", "GB", "TB"};
  int unit = 0;
  bytes /= 1000;
  for (; bytes >= 1000 && unit < 3; ++unit) bytes /= 1000;
  snprintf(text, NUMBER_LENGTH, bytes < 10 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
  return text;
}

/* A time in the largest unit that leaves about two digits. */
static char* format_span(char text[NUMBER_LENGTH], double seconds) {
  const double minute = 60, hour = 60 * minute, day = 24 * hour;
  if (seconds < 2 * minute) {
    snprintf(text, NUMBER_LENGTH, "%.0f seconds", seconds);
  } else if (seconds < 2 * hour) {
    snprintf(text, NUMBER_LENGTH, "%.0f minutes", seconds / minute);
  } else if (seconds < 2 * day) {
    snprintf(text, NUMBER_LENGTH, "%.0f hours", seconds / hour);
  } else {
    snprintf(text, NUMBER_LENGTH, "%.0f days", seconds / day);
  }
  return text;
}

/* Memory is told before the first step where there will be much of it. */
static void announce_memory(const Watch* watch) {
  char memory[NUMBER_LENGTH];
  if (watch->settings->quiet || watch->memory < much_memory) return;
  fprintf(stderr, "estimate: about %s of memory\n", format_bytes(memory, watch->memory));
}

/* Time is told once the first steps have shown their speed, where there will be much of it. */
static void announce_time(Watch* watch, const vtemper_report* report) {
  const double elapsed = clock_seconds() - watch->progress.started;
  if (watch->estimated || watch->settings->quiet || elapsed < seconds_before_estimate) return;
  watch->estimated = true;
  const double share = run_share(&watch->progress.limits, report);
  const double total = elapsed * (1 - watch->progress.share_start) / (share - watch->progress.share_start);
  if (!(total >= much_time) || !isfinite(total)) return;
  char time[NUMBER_LENGTH], memory[NUMBER_LENGTH], steps[NUMBER_LENGTH];
  progress_clear();
  fprintf(stderr, "estimate: about %s", format_span(time, total));
  if (isfinite(watch->progress.limits.iterations)) {
    const double left = watch->progress.limits.iterations * (1 - watch->progress.share_start);
    fprintf(stderr, " for %s steps", format_count(steps, llround(left)));
  }
  if (watch->memory > 0) fprintf(stderr, ", about %s of memory", format_bytes(memory, watch->memory));
  fputc('\n', stderr);
}

static int on_report(const vtemper_report* report, void* user) {
  Watch* watch = user;
  const RunSettings* settings = watch->settings;
  /* The library also reports when time has passed; rows of the trace come by steps only, so that two runs compare. */
  if (report->iteration % watch->report_every == 0) {
    double predictive = NAN;
    if (settings->heldout && marks(watch, report) > watch->scores_done) {
      predictive = score(watch);
      watch->scores_done = marks(watch, report);
    }
    trace_add(watch->trace, report, predictive);
  }
  announce_time(watch, report);
  progress_show(&watch->progress, report, trace_last_score(watch->trace));
  const double now = clock_seconds();
  if (settings->checkpoint && now - watch->last_saved >= settings->checkpoint_seconds) save_checkpoint(watch);
  if (settings->trace_path && now - watch->last_traced >= seconds_between_traces) {
    trace_write(watch->trace, settings->trace_path);
    watch->last_traced = now;
  }
  return interrupt_seen() || watch->failure[0];
}

static void on_message(int32_t level, const char* text, void* user) {
  const Watch* watch = user;
  if (watch->settings->quiet) return;
  progress_clear();
  fprintf(stderr, "%s: %s\n", level > 1 ? "warning" : "note", text);
}

int run_to_end(vtemper_optimizer* optimizer, const RunSettings* settings, Trace* trace) {
  vtemper_report report = {.struct_size = sizeof report};
  check(vtemper_optimizer_report(optimizer, &report));
  const double now = clock_seconds();
  Watch watch = {
      .settings = settings,
      .optimizer = optimizer,
      .trace = trace,
      .progress = progress_start(settings->title, settings->quiet, limits_of(optimizer), &report),
      .report_every = (int64_t)option_or_infinity(optimizer, "report_every"),
      .last_saved = now,
      .last_traced = now,
  };
  watch.scores_done = marks(&watch, &report);
  check(vtemper_optimizer_model(optimizer, &watch.model));

  check(vtemper_optimizer_get(optimizer, "memory", &watch.memory, 1));
  announce_memory(&watch);

  interrupt_watch();
  check(vtemper_optimizer_set_messages(optimizer, on_message, &watch));
  check(vtemper_optimizer_set_monitor(optimizer, on_report, &watch));
  const vtemper_status status = vtemper_optimizer_run(optimizer, NULL);
  if (status != VTEMPER_OK && status != VTEMPER_CANCELLED) check(status);
  if (watch.failure[0]) fail("%s", watch.failure);
  check(vtemper_optimizer_set_monitor(optimizer, NULL, NULL));

  check(vtemper_optimizer_report(optimizer, &report));
  const double last_score = score(&watch);
  if (report.iteration > 0) trace_add(trace, &report, last_score);
  if (settings->trace_path) trace_write(trace, settings->trace_path);
  if (settings->checkpoint) save_checkpoint(&watch);
  if (watch.failure[0]) fail("%s", watch.failure);
  progress_end(&watch.progress, &report, last_score);
  check(vtemper_optimizer_set_messages(optimizer, NULL, NULL));
  vtemper_model_destroy(watch.model);
  return status == VTEMPER_CANCELLED ? EXIT_INTERRUPTED : EXIT_DONE;
}
