/* The command vtemper: one process that works alone. */

#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>

#include "corpus.h"
#include "failure.h"
#include "numbers.h"

/* Environment variables that MPI launchers set: the number of processes, and the number of this one. */
static const struct {
  const char* all;
  const char* own;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, /* mpirun of Open MPI */
    {"PMI_SIZE", "PMI_RANK"},                         /* mpiexec of MPICH and Intel MPI, srun --mpi=pmi2 */
    {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},   /* MVAPICH */
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},         /* srun */
};

static int64_t number_in(const char* variable) {
  const char* text = getenv(variable);
  int64_t number;
  return text && parse_integer(text, &number) ? number : 0;
}

const char* program_name(void) {
  return "vtemper";
}

void ranks_begin(void) {}

void ranks_begin_command(const char* name) {
  for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; ++i) {
    const int64_t all = number_in(launchers[i].all);
    if (all < 2) continue;
    if (number_in(launchers[i].own) == 0) {
      fprintf(stderr,
              "warning: vtemper %s was started %lld times, and each does all of the work by itself; vtemper-mpi %s "
              "divides it\n",
              name, (long long)all, name);
    }
    return;
  }
}

void ranks_leave(const char* what, bool quiet) {
  (void)what;
  (void)quiet;
}

void ranks_end(void) {}

int rank_here(void) {
  return 0;
}

int rank_count(void) {
  return 1;
}

bool is_first_rank(void) {
  return true;
}

void ranks_before_failure(void) {}

char* ranks_path(const char* path, int rank) {
  (void)rank;
  return text_of("%s", path);
}

void ranks_require_equal(const char* what, const char* own) {
  (void)what;
  (void)own;
}

void ranks_require_file(const char* path) {
  (void)path;
}

void ranks_require_data(const char* path, const vtemper_data* data) {
  (void)path;
  (void)data;
}

vtemper_data* ranks_read(const char* path, const char* format, const char* vocabulary) {
  return corpus_read(path, format, vocabulary);
}

double ranks_sum(double own) {
  return own;
}

/* There is no other process. */
void ranks_send(const double* values, int64_t length) {
  (void)values;
  (void)length;
}

void ranks_receive(int from, double* values, int64_t length) {
  (void)from;
  (void)values;
  (void)length;
}

bool ranks_time(double waiting, double elapsed, RankTimes* times) {
  (void)waiting;
  (void)elapsed;
  (void)times;
  return false;
}
