#pragma once
/* Progress of a fit on stderr: one updated line on a terminal, otherwise a line every few seconds. */

#include <stdbool.h>

#include <vtemper/vtemper.h>

#include "ranks.h"

/** Limits of a run, which ends at the first one reached; infinite if not set. */
typedef struct RunLimits {
  double iterations; /**< with a time budget: as currently planned */
  double seconds;
  double time;      /**< planned time of the whole fit */
  double time_left; /**< rest of that time */
} RunLimits;

typedef struct Progress {
  const char* title; /**< prefix of every line: the method */
  bool quiet;
  RunLimits limits;
  double starts;                                       /**< number of starts that have ended, if there are several */
  bool live;                                           /**< whether stderr is a terminal */
  double started;                                      /**< clock time at the start of this session */
  double shown;                                        /**< clock time of the last line */
  double share_start;                                  /**< completed share at the start of this session */
  double rows_window, seconds_window, rows_per_second; /**< throughput since the last line */
  bool ranks_heard;                                    /**< there are several ranks, and their times are known */
  RankTimes rank_times;
} Progress;

/** Seconds of a monotonic clock. */
double clock_seconds(void);

/** Completed share of the run, 0 to 1. */
double run_share(const RunLimits* limits, const vtemper_report* report);

/** Seconds until the end of a run with a time budget, which may be complete before its time. */
double planned_seconds(const RunLimits* limits, const vtemper_report* report);

Progress progress_start(const char* title, bool quiet, RunLimits limits, const vtemper_report* report);

/** Reports this rank's time to rank 0. Every rank must call this at each of its reports. */
void progress_account(Progress* progress, const vtemper_report* report);

/** Shows the report if enough time has passed.
 *  @param score  the last held-out score, or NaN */
void progress_show(Progress* progress, const vtemper_report* report, double score);

/** Prints the last report as a permanent line. */
void progress_end(Progress* progress, const vtemper_report* report, double score);

/** Erases the updated line, if there is one, before anything else is printed. */
void progress_clear(void);
