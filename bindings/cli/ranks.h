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

/** Joins the other ranks. Must be called first. */
void ranks_begin(void);

/** To be called when a command begins. Warns once if several independent processes were started. */
void ranks_begin_command(const char* name);

/** From now on rank 0 does the rest of the command alone; the other ranks wait in ranks_end. If there are any, prints
 * a message about it, unless `quiet` is set. */
void ranks_leave(const char* what, bool quiet);

/** Waits for the other ranks to end the command as well; nothing is sent after that. */
void ranks_end(void);

/** Number of this process, from 0, and of those that work together. */
int rank_here(void);
int rank_count(void);

/** Whether this process prints and writes. */
bool is_first_rank(void);

/** Must be called before an error message is printed and the process ends, which ends all ranks. The other
 *  ranks wait here for a while, so that rank 0 prints the message if it fails as well. */
void ranks_before_failure(void);

/** The path of that rank's file: several ranks have "%r" in it for the rank's number. The caller frees it. */
char* ranks_path(const char* path, int rank);

/** Ends all ranks, naming both texts, if one has another text than rank 0: "the ranks differ: WHAT is ...".
 * Collective, as are the next two. */
void ranks_require_equal(const char* what, const char* own);

/** The same for the size of a file that all ranks read. A rank ends all if its file is a pipe, whose content only one
 *  rank would get. */
void ranks_require_file(const char* path);

/** The same for the rows, columns and entries of data that all ranks have read whole. */
void ranks_require_data(const char* path, const vtemper_data* data);

/** This rank's part of a corpus that is spread over all ranks, read by corpus_read. If the path contains "%r", which
 *  stands for the rank, each rank has its own file. All ranks read at the same time. */
vtemper_data* ranks_read(const char* path, const char* format, const char* vocabulary);

/** Sum of a number over all ranks; collective. */
double ranks_sum(double own);

/** Sends numbers of another rank to rank 0: that rank calls ranks_send, rank 0 ranks_receive. */
void ranks_send(const double* values, int64_t length);
void ranks_receive(int from, double* values, int64_t length);

/** How the ranks share the time of a run. */
typedef struct RankTimes {
  double waiting; /**< share of the time that they wait for each other, 0 to 1 */
  int slowest;    /**< the rank that waits least */
} RankTimes;

/** Reports this rank's time to rank 0, at intervals; never waits. On rank 0, `times` receives the summary of all
 *  ranks; false while it has no report from one of them.
 *  @param waiting  seconds that this rank has spent waiting
 *  @param elapsed  seconds in which it spent them */
bool ranks_time(double waiting, double elapsed, RankTimes* times);

#ifdef __cplusplus
}
#endif
