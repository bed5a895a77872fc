#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corpus.h"
#include "failure.h"
#include "interrupt.h"
#include "library_file.h"
#include "library_options.h"
#include "numbers.h"
#include "outside_text.h"
#include "plain_message.h"
#include "progress.h"
#include "ranks.h"

static const double seconds_between_traces = 10;
/* A run that needs less than this share of its time budget is announced as one that ends early. */
static const double complete_share = 0.5;
enum { MANY_COLUMNS = 100 }; /* from here on, most of a mixture's memory is for its covariances */
/* Thresholds above which the user is told in advance. */
static const double much_memory = 1e9, much_time = 60, seconds_before_estimate = 1;

/* State of the monitor. */
typedef struct Watch {
  const RunSettings* settings;
  const vtemper_optimizer* optimizer;
  vtemper_model* model;
  Trace* trace;
  Progress progress;
  int64_t report_every;
  int scores_done;    /**< score marks passed so far, of settings->scores */
  double last_saved;  /**< clock time */
  double last_traced; /**< clock time */
  double memory;      /**< estimated bytes of memory; 0: unknown */
  bool extends;       /**< the run goes on beyond its end */
  bool estimated;     /**< the time estimate is done */
  char failure[1024]; /**< why the monitor stopped the run, other than Ctrl-C; "" otherwise */
} Watch;

/* Why the trace and the checkpoint could not be written; "" otherwise. The fit goes on: its model is worth more. */
static char trace_failure[1024], checkpoint_failure[1024];

void tell_run_failure(void) {
  if (trace_failure[0]) tell_failure("%s", trace_failure);
  if (checkpoint_failure[0]) tell_failure("%s", checkpoint_failure);
}

static void warn_of_file(const Watch* watch, const char* failure) {
  if (watch->settings->quiet) return;
  progress_clear();
  fputs("warning: ", stderr);
  print_outside_text(stderr, failure);
  fputs("; the fit goes on\n", stderr);
}

/* Saves the error message, since later calls may overwrite it. */
static void keep_failure(Watch* watch, vtemper_status status) {
  if (status != VTEMPER_OK)
    snprintf(watch->failure, sizeof watch->failure, "%s", plain_message(vtemper_last_error()));
}

static void write_trace_of(void* of) {
  const Watch* watch = of;
  trace_write(watch->trace, watch->settings->trace_path);
}

static void write_trace(Watch* watch) {
  attempt(write_trace_of, watch, trace_failure, sizeof trace_failure);
}

/* The value of a numeric option; infinite if it is "auto" or 0. */
static double option_or_infinity(const vtemper_optimizer* optimizer, const char* name) {
  const char* text;
  double value;
  check(vtemper_optimizer_option(optimizer, name, &text));
  return parse_real(text, &value) && value > 0 ? value : INFINITY;
}

static RunLimits limits_of(const vtemper_optimizer* optimizer) {
  double steps;
  check(vtemper_optimizer_get(optimizer, "steps_total", &steps, 1));
  RunLimits limits = {.iterations = steps > 0 ? steps : INFINITY,
                      .seconds = option_or_infinity(optimizer, "deadline"),
                      .time = option_or_infinity(optimizer, "time")};
  check(vtemper_optimizer_get(optimizer, "seconds_left", &limits.time_left, 1));
  return limits;
}

/* A run with a time budget is replanned at every step, and early stopping chooses the length before the first one, in
 * time that says nothing about that of the steps. */
static void follow_plan(Watch* watch, const vtemper_report* report) {
  RunLimits* limits = &watch->progress.limits;
  keep_failure(watch, vtemper_optimizer_get(watch->optimizer, "restarts.ended", &watch->progress.starts, 1));
  if (watch->extends) return;
  double steps = 0;
  keep_failure(watch, vtemper_optimizer_get(watch->optimizer, "steps_total", &steps, 1));
  const bool changed = steps > 0 && steps != limits->iterations;
  if (changed && !isfinite(limits->time)) watch->progress.started = clock_seconds() - report->seconds;
  limits->iterations = steps > 0 ? steps : INFINITY;
  keep_failure(watch, vtemper_optimizer_get(watch->optimizer, "seconds_left", &limits->time_left, 1));
}

/* Number of score marks passed at this point of the run. */
static int marks(const Watch* watch, const vtemper_report* report) {
  return (int)floor(run_share(&watch->progress.limits, report) * watch->settings->scores + 1e-9);
}

/* Scores held-out data if there is any; otherwise NaN. */
static double score(Watch* watch) {
  double value = NAN;
  if (watch->settings->heldout) keep_failure(watch, heldout_score(watch->settings->heldout, watch->model, &value));
  return value;
}

/* Whether it is time for a checkpoint. Ranks that save it together follow the clock of the first one. */
static bool checkpoint_is_due(const Watch* watch) {
  const RunSettings* settings = watch->settings;
  if (!settings->checkpoint) return false;
  const bool due = clock_seconds() - watch->last_saved >= settings->checkpoint_seconds;
  return settings->divided ? ranks_sum(due && is_first_rank() ? 1 : 0) > 0 : due;
}

static void save_checkpoint(Watch* watch) {
  if (save_optimizer_file(watch->optimizer, watch->settings->checkpoint) != VTEMPER_OK) {
    snprintf(checkpoint_failure, sizeof checkpoint_failure, "%s", vtemper_last_error());
  }
  watch->last_saved = clock_seconds();
}

/* A size in the largest unit with a digit before the decimal point. */
static char* format_bytes(char text[NUMBER_LENGTH], double bytes) {
  const char* const units[] = {"kB", "MB", "GB", "TB"};
  int unit = 0;
  bytes /= 1000;
  for (; bytes >= 1000 && unit < 3; ++unit) bytes /= 1000;
  snprintf(text, NUMBER_LENGTH, bytes < 10 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
  return text;
}

/* A duration in the largest unit with about two digits. */
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

/* The number in a file; infinity if it contains none ("max") or does not exist. */
static double number_in(const char* path) {
  double number = INFINITY;
  FILE* file = fopen(path, "r");
  if (!file) return number;
  char text[64];
  if (!fgets(text, sizeof text, file) || sscanf(text, "%lf", &number) != 1) number = INFINITY;
  fclose(file);
  return number;
}

/* Bytes of memory of this machine, or of the container in which the command runs. */
static double machine_memory(void) {
  const double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  const double limits[] = {number_in("/sys/fs/cgroup/memory.max"),
                           number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")};
  return fmin(machine, fmin(limits[0], limits[1]));
}

/* Whether the model could keep its parameters in a file, but the option for that is not set. */
static bool may_use_folder(const vtemper_model* model) {
  vtemper_option option;
  const char* folder;
  if (!find_option(vtemper_model_kind(model), "parameters_folder", &option)) return false;
  check(vtemper_model_option(model, option.name, &folder));
  return !*folder;
}

static void suggest_less_memory(const vtemper_model* model, const vtemper_data* data) {
  char columns[NUMBER_LENGTH];
  if (may_use_folder(model)) {
    fputs("; --parameters-folder DIRECTORY keeps the topics in a file there instead of memory", stderr);
  }
  if (strcmp(vtemper_model_kind(model), "gaussian_mixture") == 0 && corpus_columns(data) >= MANY_COLUMNS) {
    fprintf(stderr, "; covariances take the square of the %s columns: fit fewer, such as their principal components",
            format_count(columns, corpus_columns(data)));
  }
}

void announce_memory(double bytes, const vtemper_model* model, const vtemper_data* data) {
  char memory[NUMBER_LENGTH], there[NUMBER_LENGTH];
  if (bytes < much_memory) return;
  fprintf(stderr, "estimate: about %s of memory", format_bytes(memory, bytes));
  if (rank_count() > 1) fputs(" for each rank", stderr);
  const double machine = machine_memory();
  if (bytes > machine) {
    fprintf(stderr, ", of which there is %s here", format_bytes(there, machine));
    if (model) suggest_less_memory(model, data);
  }
  fputc('\n', stderr);
}

/* What a run with a time budget will achieve, estimated from its first steps. */
static void announce_plan(const Watch* watch, const vtemper_report* report) {
  const RunLimits* limits = &watch->progress.limits;
  if (!isfinite(limits->iterations)) return;
  char steps[NUMBER_LENGTH], passes[NUMBER_LENGTH], left[NUMBER_LENGTH];
  const double planned = report->passes * limits->iterations / (double)report->iteration;
  if (planned < 10) {
    snprintf(passes, sizeof passes, "%.2g", planned);
  } else {
    format_count(passes, llround(planned));
  }
  progress_clear();
  fprintf(stderr, "plan: about %s %s, %s %s, in ", format_count(steps, llround(limits->iterations)),
          plural(llround(limits->iterations) == 1, "step", "steps"), passes,
          plural(strcmp(passes, "1") == 0, "pass", "passes"));
  const double needed = planned_seconds(limits, report);
  if (needed < complete_share * limits->time_left) fprintf(stderr, "about %s of ", format_span(left, needed));
  fprintf(stderr, "the %s that are left\n", format_span(left, limits->time_left));
}

/* Announces a long run time, once the first steps have shown their speed. */
static void announce_time(Watch* watch, const vtemper_report* report) {
  const double elapsed = clock_seconds() - watch->progress.started;
  if (watch->estimated || watch->settings->quiet || elapsed < seconds_before_estimate) return;
  watch->estimated = true;
  if (isfinite(watch->progress.limits.time)) {
    announce_plan(watch, report);
    return;
  }
  const double share = run_share(&watch->progress.limits, report);
  const double total = elapsed * (1 - watch->progress.share_start) / (share - watch->progress.share_start);
  if (!(total >= much_time) || !isfinite(total)) return;
  char time[NUMBER_LENGTH], memory[NUMBER_LENGTH], steps[NUMBER_LENGTH];
  progress_clear();
  fprintf(stderr, "estimate: about %s", format_span(time, total));
  if (isfinite(watch->progress.limits.iterations)) {
    const double left = watch->progress.limits.iterations * (1 - watch->progress.share_start);
    fprintf(stderr, " for %s %s", format_count(steps, llround(left)), plural(llround(left) == 1, "step", "steps"));
  }
  if (watch->memory > 0) fprintf(stderr, ", about %s of memory", format_bytes(memory, watch->memory));
  fputc('\n', stderr);
}

static int is_interrupted(void* user) {
  (void)user;
  return interrupt_seen();
}

/* Steps may be long, so a single process also checks for interrupts within a step, which is then discarded. With
 * several ranks, all learn of an interrupt between steps. */
static void hear_interrupts(bool within_steps) {
  vtemper_set_interrupt(within_steps && rank_count() == 1 ? is_interrupted : NULL, NULL);
}

/* The work of the monitor itself is not interrupted. */
static int on_report(const vtemper_report* report, void* user) {
  hear_interrupts(false);
  Watch* watch = user;
  const RunSettings* settings = watch->settings;
  follow_plan(watch, report);
  /* The library also reports by time; rows of the trace are recorded by steps only, so that two runs can be
   * compared. */
  if (report->iteration % watch->report_every == 0) {
    double predictive = NAN;
    if (settings->heldout && marks(watch, report) > watch->scores_done) {
      predictive = score(watch);
      watch->scores_done = marks(watch, report);
    }
    trace_add(watch->trace, report, predictive);
  }
  progress_account(&watch->progress, report);
  announce_time(watch, report);
  progress_show(&watch->progress, report, trace_last_score(watch->trace));
  if (checkpoint_is_due(watch)) {
    const bool had_failed = checkpoint_failure[0] != '\0';
    save_checkpoint(watch);
    if (checkpoint_failure[0] && !had_failed) warn_of_file(watch, checkpoint_failure);
  }
  const double now = clock_seconds();
  /* A trace that could not be written is not written again before the end. */
  if (settings->trace_path && !trace_failure[0] && now - watch->last_traced >= seconds_between_traces) {
    write_trace(watch);
    watch->last_traced = now;
    if (trace_failure[0]) warn_of_file(watch, trace_failure);
  }
  hear_interrupts(true);
  return interrupt_seen() || watch->failure[0];
}

static void on_message(int32_t level, const char* text, void* user) {
  const Watch* watch = user;
  if (watch->settings->quiet) return;
  progress_clear();
  fputs(level > 1 ? "warning: " : "note: ", stderr);
  print_outside_text(stderr, text);
  fputc('\n', stderr);
}

/* Number of steps for further passes of the same length; 0: until the end of the run. */
static int64_t further_steps(const RunSettings* settings, const vtemper_report* report) {
  if (!(settings->more_passes > 0)) return 0;
  if (!(report->passes > 0)) fail("no step was done yet, so there is no run to extend");
  return (int64_t)ceil(settings->more_passes * (double)report->iteration / report->passes - 1e-9);
}

/* An interrupted session has scored its last row, which an uninterrupted run scores only at a mark. Returns the
 * number of marks that the rows have passed. */
static int forget_early_scores(const Watch* watch, Trace* trace) {
  int done = 0;
  for (int64_t i = 0; i < trace->count; ++i) {
    TraceRow* row = &trace->rows[i];
    const vtemper_report then = {.iteration = row->iteration, .passes = row->passes, .seconds = row->seconds};
    const int now = marks(watch, &then);
    if (now <= done) row->predictive = NAN;
    done = now;
  }
  return done;
}

int run_to_end(vtemper_optimizer* optimizer, const RunSettings* settings, Trace* trace) {
  vtemper_report report = {.struct_size = sizeof report};
  check(vtemper_optimizer_report(optimizer, &report));
  const int64_t further = further_steps(settings, &report);
  RunLimits limits = limits_of(optimizer);
  if (further > 0) limits.iterations = (double)(report.iteration + further);
  const double now = clock_seconds();
  Watch watch = {
      .settings = settings,
      .optimizer = optimizer,
      .extends = further > 0,
      .trace = trace,
      .progress = progress_start(settings->title, settings->quiet, limits, &report),
      .report_every = integer_in_use(optimizer, "report_every"),
      .last_saved = now,
      .last_traced = now,
  };
  watch.scores_done = marks(&watch, &report);
  check(vtemper_optimizer_model(optimizer, &watch.model));
  if (settings->heldout) check(heldout_check(settings->heldout, watch.model));

  check(vtemper_optimizer_get(optimizer, "memory", &watch.memory, 1));
  const bool resumed = report.iteration > 0; /* otherwise it was announced before the start */
  if (resumed && !settings->quiet) announce_memory(watch.memory, NULL, NULL);
  const bool by_steps = further == 0 && !isfinite(limits.time) && !isfinite(limits.seconds);
  if (resumed && settings->heldout && !report.finished && by_steps) {
    watch.scores_done = forget_early_scores(&watch, trace);
  }

  interrupt_watch();
  check(vtemper_optimizer_set_messages(optimizer, on_message, &watch));
  check(vtemper_optimizer_set_monitor(optimizer, on_report, &watch));
  hear_interrupts(true);
  const vtemper_status status =
      further > 0 ? vtemper_optimizer_step(optimizer, further, NULL) : vtemper_optimizer_run(optimizer, NULL);
  if (status != VTEMPER_OK && status != VTEMPER_CANCELLED) check(status);
  hear_interrupts(false);
  if (watch.failure[0]) fail("%s", watch.failure);
  check(vtemper_optimizer_set_monitor(optimizer, NULL, NULL));

  check(vtemper_optimizer_report(optimizer, &report));
  const double last_score = score(&watch);
  follow_plan(&watch, &report);
  if (watch.progress.starts > 1) { /* the curve is that of the start that was kept */
    trace_free(trace);
    *trace = (Trace){NULL, 0};
    trace_from_optimizer(trace, optimizer);
  }
  if (report.iteration > 0) trace_add(trace, &report, last_score);
  if (watch.failure[0]) fail("%s", watch.failure);
  trace_failure[0] = checkpoint_failure[0] = '\0'; /* both are written once more */
  if (settings->trace_path) write_trace(&watch);
  if (settings->checkpoint) save_checkpoint(&watch);
  char* of_best = NULL;
  if (watch.progress.starts > 1) { /* whose method may be another one than that of the first start */
    char* method = method_in_use(optimizer);
    of_best = text_of("best of %.0f starts, %s", watch.progress.starts, method);
    free(method);
    watch.progress.title = of_best;
  }
  progress_end(&watch.progress, &report, last_score);
  free(of_best);
  check(vtemper_optimizer_set_messages(optimizer, NULL, NULL));
  vtemper_model_destroy(watch.model);
  if (trace_failure[0] || checkpoint_failure[0]) return EXIT_FAILED;
  return status == VTEMPER_CANCELLED ? EXIT_INTERRUPTED : EXIT_DONE;
}
