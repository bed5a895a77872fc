/* mpirun -n N fit CORPUS REPRODUCIBLE: a fit of a corpus that the ranks divide; rank 0 prints a hash of the topics.
 * Written like a program that uses MPI itself. */
#define _POSIX_C_SOURCE 200809L

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <vtemper/mpi.h>

static int rank = 0;

static void check(vtemper_status status, const char* message) {
  if (status == VTEMPER_OK) return;
  printf("rank %d: %s: %s\n", rank, vtemper_status_name(status), message);
  fflush(stdout);
  nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL); /* MPICH may lose output written just before the end */
  MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int count, char** words) {
  int provided, ranks;
  MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (count != 2) return 2;
  vtemper_data* data;
  check(vtemper_mpi_read(words[1], NULL, MPI_COMM_WORLD, &data), vtemper_mpi_last_error());
  vtemper_options* options;
  check(vtemper_options_create(&options), vtemper_last_error());
  check(vtemper_options_set_integer(options, "topics", 4), vtemper_last_error());
  vtemper_model* model;
  check(vtemper_model_create("lda", options, &model), vtemper_last_error());
  vtemper_options_destroy(options);
  check(vtemper_options_create(&options), vtemper_last_error());
  check(vtemper_options_set_integer(options, "batch_size", 100), vtemper_last_error());
  check(vtemper_options_set_integer(options, "max_passes", 4), vtemper_last_error());
  check(vtemper_options_set_integer(options, "threads", 1), vtemper_last_error());
  vtemper_optimizer* optimizer;
  check(vtemper_optimizer_create(model, data, options, &optimizer), vtemper_last_error());
  vtemper_report report = {.struct_size = sizeof report};
  check(vtemper_optimizer_run(optimizer, &report), vtemper_last_error());
  int64_t columns;
  check(vtemper_model_columns(model, &columns), vtemper_last_error());
  double* topics = malloc((size_t)(4 * columns) * sizeof *topics);
  check(vtemper_model_get(model, "lambda", topics, 4 * columns), vtemper_last_error());
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < (size_t)(4 * columns) * sizeof *topics; ++i) {
    hash = (hash ^ ((const unsigned char*)topics)[i]) * 1099511628211u;
  }
  free(topics);
  if (report.ranks != ranks) printf("the report tells of %lld ranks, not %d\n", (long long)report.ranks, ranks);
  if (ranks > 1 && !(report.bytes_sent > 0 && report.seconds_waiting > 0)) puts("the report tells of no exchange");
  /* The model is the same on all ranks. */
  uint64_t* hashes = malloc((size_t)ranks * sizeof *hashes);
  MPI_Gather(&hash, 1, MPI_UINT64_T, hashes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < ranks; ++i) {
    if (hashes[i] != hash) printf("rank %d has another model than rank 0\n", i);
  }
  if (rank == 0)
    printf("%d ranks: %016llx after %lld steps\n", ranks, (unsigned long long)hash, (long long)report.iteration);
  free(hashes);
  vtemper_optimizer_destroy(optimizer);
  vtemper_options_destroy(options);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
  MPI_Finalize();
  return 0;
}
