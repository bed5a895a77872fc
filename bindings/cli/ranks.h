#pragma once
/* The processes that work on one command together. In vtemper there is one (ranks.c); in vtemper-mpi they are those
 * that mpirun started (bindings/mpi/command/ranks.c), of which rank 0 alone prints and writes files. */

#include <stdbool.h>
#include <stdint.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The name of the program in its messages. */
const char* program_name(void);

/** Joins the other ranks. The first thing that the command does. */
void ranks_begin(void);

/** A command begins. Tells once where several processes were started that know nothing of each other. */
void ranks_begin_command(const char* name);

/** Rank 0 does the rest of the command alone, and is the only one from now on; the others wait in ranks_end. Tells
 * so, where there are others, unless it is to be quiet. */
void ranks_leave(const char* what, bool quiet);

/** Waits for the other ranks to end the command as well; nothing is sent after that. */
void ranks_end(void);

/** Number of this process, from 0, and of those that work together. */
int rank_here(void);
int rank_count(void);

/** Whether this process prints and writes. */
bool is_first_rank(void);

/** Before a message of failure is printed and the process ends, which ends all ranks: leaves it to rank 0 where that
 *  fails as well. */
void ranks_before_failure(void);

/** This rank's part of a corpus, spread over all, by corpus_read; with "%r" in the path, which stands for the rank,
 *  each has a file. All ranks read at the same time. */
vtemper_data* ranks_read(const char* path, const char* format, const char* vocabulary);

/** Sum of a number over all ranks, which all call it. */
double ranks_sum(double own);

/** Numbers of another rank for rank 0: that rank sends them, rank 0 receives them. */
void ranks_send(const double* values, int64_t length);
void ranks_receive(int from, double* values, int64_t length);

/** How the ranks share the time of a run. */
typedef struct RankTimes {
  double waiting; /**< share of the time that they wait for each other, 0 to 1 */
  int slowest;    /**< the one that waits least */
} RankTimes;

/** Tells rank 0 of this rank's time, now and then; never waits. On rank 0, what it knows of all: false while there is
 *  a rank that it has not heard of.
 *  @param waiting  seconds of this rank in waiting
 *  @param elapsed  seconds in which it waited so long */
bool ranks_time(double waiting, double elapsed, RankTimes* times);

#ifdef __cplusplus
}
#endif
