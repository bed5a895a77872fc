#pragma once
/* How far a fit has come, on stderr: one live line on a terminal, elsewhere a line every few seconds. */

#include <stdbool.h>

#include <vtemper/vtemper.h>

#include "ranks.h"

/** Where a run ends: the first of these that is reached; infinite where not set. */
typedef struct RunLimits {
  double iterations; /**< of a run by time: as planned now */
  double seconds;
  double time;      /**< of the whole fit, which is planned by it */
  double time_left; /**< of that */
} RunLimits;

typedef struct Progress {
  const char* title; /**< begins every line: the method */
  bool quiet;
  RunLimits limits;
  bool live;                                           /**< stderr is a terminal */
  double started;                                      /**< clock of this session's beginning */
  double shown;                                        /**< clock of the last line */
  double share_start;                                  /**< share done at the beginning of this session */
  double rows_window, seconds_window, rows_per_second; /**< speed since the last line */
  bool ranks_heard;                                    /**< of several ranks, what follows is known */
  RankTimes rank_times;
} Progress;

/** Seconds of a clock that never goes back. */
double clock_seconds(void);

/** Share of the run that is done, 0 to 1. */
double run_share(const RunLimits* limits, const vtemper_report* report);

Progress progress_start(const char* title, bool quiet, RunLimits limits, const vtemper_report* report);

/** Takes part in the account of the ranks' time, which every rank does at each of its reports. */
void progress_account(Progress* progress, const vtemper_report* report);

/** Shows the report where it is time to.
 *  @param score  the last held-out score, or NaN */
void progress_show(Progress* progress, const vtemper_report* report, double score);

/** Shows the last report as a line that stays. */
void progress_end(Progress* progress, const vtemper_report* report, double score);

/** Takes the live line away, where there is one, before anything else is printed. */
void progress_clear(void);
