#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "numbers.h"

static const double seconds_between_live_lines = 0.2;
static const double seconds_between_lines = 5;

static bool line_is_live = false;

double clock_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double run_share(const RunLimits* limits, const vtemper_report* report) {
  double share = fmax((double)report->iteration / limits->iterations, report->seconds / limits->seconds);
  if (isfinite(limits->time)) share = 1 - limits->time_left / limits->time;
  return fmin(1, fmax(0, share));
}

double planned_seconds(const RunLimits* limits, const vtemper_report* report) {
  const double steps = limits->iterations - (double)report->iteration;
  /* report->seconds is without what the monitor takes, which is a part of the time. */
  const double spent = limits->time - limits->time_left;
  return fmin(limits->time_left, steps * spent / (double)report->iteration);
}

Progress progress_start(const char* title, bool quiet, RunLimits limits, const vtemper_report* report) {
  const double now = clock_seconds();
  return (Progress){
      .title = title,
      .quiet = quiet,
      .limits = limits,
      .live = isatty(STDERR_FILENO) != 0,
      .started = now,
      .shown = now,
      .share_start = run_share(&limits, report),
      .rows_window = (double)report->rows_seen,
      .seconds_window = report->seconds,
      .rows_per_second = NAN,
  };
}

static size_t terminal_width(void) {
  struct winsize size;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

static void compose(char* line, size_t room, Progress* progress, const vtemper_report* report, double score) {
  if (report->seconds > progress->seconds_window) {
    progress->rows_per_second =
        ((double)report->rows_seen - progress->rows_window) / (report->seconds - progress->seconds_window);
    progress->rows_window = (double)report->rows_seen;
    progress->seconds_window = report->seconds;
  }
  size_t used = (size_t)snprintf(line, room, "%s  pass %.2f", progress->title, report->passes);
  const double iterations = progress->limits.iterations;
  /* Steps of moves come on top of the planned ones. */
  const bool is_planned = report->iteration > 0 && (double)report->iteration <= iterations;
  if (isfinite(iterations) && is_planned && !(progress->starts > 0)) {
    const double passes = report->passes * iterations / (double)report->iteration;
    used += (size_t)snprintf(line + used, room - used, " of %.3g", passes);
  }
  if (progress->starts > 0) {
    used += (size_t)snprintf(line + used, room - used, "  starts done: %.0f", progress->starts);
  } else if (!isnan(progress->rows_per_second)) {
    char speed[NUMBER_LENGTH];
    format_count(speed, llround(progress->rows_per_second));
    used += (size_t)snprintf(line + used, room - used, "  %s rows/s", speed);
  }
  used += (size_t)snprintf(line + used, room - used, "  temperature %.3f", report->temperature);
  if (!isnan(score)) {
    used += (size_t)snprintf(line + used, room - used, "  held-out %.4f", score);
  } else if (!isnan(report->objective)) {
    char objective[NUMBER_LENGTH];
    const int decimals = decimals_for(&report->objective, 1);
    used += (size_t)snprintf(line + used, room - used, "  objective %s",
                             format_decimals(objective, report->objective, decimals));
  }
  if (progress->ranks_heard) {
    used += (size_t)snprintf(line + used, room - used, "  %d ranks, %.0f %% waiting, slowest %d", rank_count(),
                             100 * progress->rank_times.waiting, progress->rank_times.slowest);
  }
  const double share = run_share(&progress->limits, report);
  if (share < 1 && share > progress->share_start) {
    const double elapsed = clock_seconds() - progress->started;
    const bool planned = isfinite(progress->limits.time);
    const double planned_left =
        progress->starts > 0 ? progress->limits.time_left : planned_seconds(&progress->limits, report);
    char left[NUMBER_LENGTH];
    format_duration(left, planned ? planned_left : elapsed * (1 - share) / (share - progress->share_start));
    snprintf(line + used, room - used, "  left %s", left);
  }
}

void progress_account(Progress* progress, const vtemper_report* report) {
  const double elapsed = clock_seconds() - progress->started;
  if (ranks_time(report->seconds_waiting, elapsed, &progress->rank_times)) progress->ranks_heard = true;
}

void progress_show(Progress* progress, const vtemper_report* report, double score) {
  if (progress->quiet) return;
  const double now = clock_seconds();
  if (now - progress->shown < (progress->live ? seconds_between_live_lines : seconds_between_lines)) return;
  progress->shown = now;
  char line[256];
  compose(line, sizeof line, progress, report, score);
  if (!progress->live) {
    fprintf(stderr, "%s\n", line);
    return;
  }
  const size_t width = terminal_width();
  if (strlen(line) >= width) line[width - 1] = '\0';
  fprintf(stderr, "\r\033[K%s", line);
  fflush(stderr);
  line_is_live = true;
}

void progress_end(Progress* progress, const vtemper_report* report, double score) {
  progress_clear();
  if (progress->quiet) return;
  char duration[NUMBER_LENGTH], rows[NUMBER_LENGTH];
  char passes[NUMBER_LENGTH];
  snprintf(passes, sizeof passes, "%.4g", report->passes);
  fprintf(stderr, "%s  %s %s, %s %s in %s", progress->title, passes,
          plural(strcmp(passes, "1") == 0, "pass", "passes"), format_count(rows, report->rows_seen),
          plural(report->rows_seen == 1, "row", "rows"), format_duration(duration, report->seconds));
  /* With several starts, the rows are those of one start, but the seconds are those of all. */
  if (report->seconds > 0 && !(progress->starts > 0)) {
    fprintf(stderr, " (%s rows/s)", format_count(rows, llround((double)report->rows_seen / report->seconds)));
  }
  fprintf(stderr, ", temperature %.4g", report->temperature);
  if (rank_count() > 1) fprintf(stderr, ", %d ranks", rank_count());
  if (progress->ranks_heard) {
    fprintf(stderr, " (%.0f %% waiting, slowest %d)", 100 * progress->rank_times.waiting,
            progress->rank_times.slowest);
  }
  if (!isnan(score)) fprintf(stderr, ", held-out predictive %.4f", score);
  fputc('\n', stderr);
}

void progress_clear(void) {
  if (!line_is_live) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  line_is_live = false;
}
