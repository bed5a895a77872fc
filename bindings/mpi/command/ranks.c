/* The command vtemper-mpi: the processes that mpirun started. */

#include "ranks.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <vtemper/mpi.h>

#include "corpus.h"
#include "failure.h"
#include "progress.h"

enum { TAG_VALUES = 1, TAG_TIMES = 2 };
enum { NUMBERS_AT_ONCE = 1 << 27 }; /* in a message: 1 GB */
static const double seconds_between_times = 1;
/* A rank that fails waits this long for rank 0 to report the same failure. */
static const double seconds_of_grace = 2, seconds_of_turn = 0.1;

static int own_rank = 0, all_ranks = 1;
static int working_ranks = 1; /* all ranks, or 1 if this one works alone */
static vtemper_group* group = NULL;

/* Seconds of waiting and seconds of work, as last reported; the latter is NAN once a rank has ended. */
typedef struct Times {
  double waiting, elapsed;
} Times;

static Times told; /* on its way to rank 0 */
static MPI_Request telling = MPI_REQUEST_NULL;
static double last_told = 0; /* clock time */
static Times* heard = NULL;  /* on rank 0: the times of each rank */

const char* program_name(void) {
  return "vtemper-mpi";
}

static void check_mpi(vtemper_status status) {
  if (status == VTEMPER_OK) return;
  if (status == VTEMPER_ERROR_OPTION) fail_usage("%s", vtemper_mpi_last_error());
  fail("%s", vtemper_mpi_last_error());
}

/* Processes started by the launcher of another MPI are each a group of one. */
static void require_launcher(void) {
  const char* const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && all_ranks == 1; ++i) {
    const char* size = getenv(sizes[i]);
    if (!size || atoi(size) < 2) continue;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0';
    fail("%s processes were started by the mpirun of another MPI: vtemper-mpi was built for %s", size, library);
  }
}

void ranks_begin(void) {
  int32_t world;
  check_mpi(vtemper_mpi_world(&world)); /* at the end of the process, it ends MPI; after a failure, all ranks */
  check_mpi(vtemper_mpi_group_f(world, &group));
  int32_t rank, ranks;
  check(vtemper_group_rank(group, &rank, &ranks));
  own_rank = rank;
  all_ranks = working_ranks = ranks;
  require_launcher();
  heard = allocate((size_t)ranks, sizeof *heard);
  for (int i = 0; i < ranks; ++i) heard[i] = (Times){NAN, 0};
  /* Only rank 0 prints on stdout. */
  if (own_rank > 0 && !freopen("/dev/null", "w", stdout)) fail("/dev/null cannot be written");
}

void ranks_begin_command(const char* name) {
  (void)name;
}

void ranks_leave(const char* what, bool quiet) {
  if (all_ranks > 1 && !quiet) fprintf(stderr, "note: %s is the work of rank 0 alone\n", what);
  working_ranks = 1;
}

/* Receives the reports that the other ranks have sent so far; with `all`, waits until they have ended. */
static void hear(bool all) {
  for (;;) {
    int waits = 0;
    MPI_Status status;
    if (all) {
      int open = 0;
      for (int i = 1; i < all_ranks; ++i) open += !isnan(heard[i].elapsed);
      if (open == 0) return;
      MPI_Probe(MPI_ANY_SOURCE, TAG_TIMES, MPI_COMM_WORLD, &status);
    } else {
      MPI_Iprobe(MPI_ANY_SOURCE, TAG_TIMES, MPI_COMM_WORLD, &waits, &status);
      if (!waits) return;
    }
    MPI_Recv(&heard[status.MPI_SOURCE], 2, MPI_DOUBLE, status.MPI_SOURCE, TAG_TIMES, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
}

static void tell(double waiting, double elapsed) {
  told = (Times){waiting, elapsed};
  MPI_Isend(&told, 2, MPI_DOUBLE, 0, TAG_TIMES, MPI_COMM_WORLD, &telling);
}

bool ranks_time(double waiting, double elapsed, RankTimes* times) {
  if (own_rank > 0) {
    int done = 0;
    MPI_Test(&telling, &done, MPI_STATUS_IGNORE);
    if (done && clock_seconds() - last_told >= seconds_between_times) {
      last_told = clock_seconds();
      tell(waiting, elapsed);
    }
    return false;
  }
  if (working_ranks == 1) return false;
  hear(false);
  heard[0] = (Times){waiting, elapsed};
  *times = (RankTimes){0, 0};
  double least = INFINITY;
  for (int i = 0; i < all_ranks; ++i) {
    if (!(heard[i].elapsed > 0)) return false;
    const double share = fmin(1, fmax(0, heard[i].waiting / heard[i].elapsed));
    times->waiting += share / all_ranks;
    if (share < least) {
      least = share;
      times->slowest = i;
    }
  }
  return true;
}

void ranks_end(void) {
  if (own_rank > 0) {
    MPI_Wait(&telling, MPI_STATUS_IGNORE);
    tell(0, NAN);
    MPI_Wait(&telling, MPI_STATUS_IGNORE);
  } else {
    hear(true);
  }
  free(heard);
  vtemper_group_destroy(group);
  MPI_Finalize();
}

int rank_here(void) {
  return own_rank;
}

int rank_count(void) {
  return working_ranks;
}

bool is_first_rank(void) {
  return own_rank == 0;
}

/* Most failures reach all ranks at once, and rank 0 reports them. A failure on one rank only must be reported by that
 * rank, or the others would wait for ever. */
void ranks_before_failure(void) {
  if (own_rank == 0) return;
  double seconds = seconds_of_grace + seconds_of_turn * (own_rank < 50 ? own_rank : 50);
  struct timespec left = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
  while (nanosleep(&left, &left) != 0) continue;
}

char* ranks_path(const char* path, int rank) {
  char* name = text_of("%s", path);
  if (working_ranks < all_ranks) return name;
  for (char* mark = strstr(name, "%r"); mark; mark = strstr(name, "%r")) {
    char* next = text_of("%.*s%d%s", (int)(mark - name), name, rank, mark + 2);
    free(name);
    name = next;
  }
  return name;
}

/* The text of that rank, on all ranks; the caller frees it. */
static char* text_of_rank(const char* own, int rank) {
  int length = (int)strlen(own);
  MPI_Bcast(&length, 1, MPI_INT, rank, MPI_COMM_WORLD);
  char* text = allocate((size_t)length + 1, 1);
  if (own_rank == rank) strcpy(text, own);
  MPI_Bcast(text, length + 1, MPI_CHAR, rank, MPI_COMM_WORLD);
  return text;
}

void ranks_require_equal(const char* what, const char* own) {
  if (working_ranks == 1) return;
  char* first = text_of_rank(own, 0);
  int other = strcmp(own, first) == 0 ? all_ranks : own_rank;
  MPI_Allreduce(MPI_IN_PLACE, &other, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (other < all_ranks) {
    const char* text = text_of_rank(own, other);
    fail("the ranks differ: %s is %s on rank 0 and %s on rank %d", what, first, text, other);
  }
  free(first);
}

/* A pipe gives each of its bytes to one reader only. */
static void refuse_pipe(const char* path) {
  struct stat file;
  if (working_ranks == 1 || stat(path, &file) != 0 || S_ISREG(file.st_mode) || S_ISDIR(file.st_mode)) return;
  fail("%s is not a regular file, so %d ranks cannot read it; write it to a file first, best by vtemper convert",
       path, working_ranks);
}

void ranks_require_file(const char* path) {
  if (working_ranks == 1) return;
  refuse_pipe(path);
  struct stat file;
  char* size = stat(path, &file) != 0  ? text_of("unknown (%s)", strerror(errno))
               : S_ISDIR(file.st_mode) ? text_of("that of a folder")
                                       : text_of("%lld bytes", (long long)file.st_size);
  char* what = text_of("the size of %s", path);
  ranks_require_equal(what, size);
  free(what);
  free(size);
}

void ranks_require_data(const char* path, const vtemper_data* data) {
  int64_t rows, columns, entries;
  check(vtemper_data_rows(data, &rows));
  check(vtemper_data_columns(data, &columns));
  check(vtemper_data_entries(data, &entries));
  char* what = text_of("the content of %s", path);
  char* sizes =
      text_of("%lld rows of %lld columns with %lld entries", (long long)rows, (long long)columns, (long long)entries);
  ranks_require_equal(what, sizes);
  free(sizes);
  free(what);
}

/* Whether the answer of any rank is yes. */
static bool on_any_rank(bool own) {
  int any = own;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return any;
}

static vtemper_data* read_own_file(const char* path, const char* format, const char* vocabulary) {
  char* name = ranks_path(path, own_rank);
  vtemper_data* own = corpus_read(name, format, vocabulary);
  free(name);
  return own;
}

/* This rank's share of a file that all ranks have. If a rank cannot read parts of it, all read it whole. */
static vtemper_data* read_share(const char* path, const char* format, const char* vocabulary) {
  ranks_require_file(path);
  vtemper_data* own = corpus_read_part(path, format, vocabulary, own_rank, all_ranks);
  if (!on_any_rank(!own)) return own;
  vtemper_data_destroy(own);
  vtemper_data* whole = corpus_read(path, format, vocabulary);
  ranks_require_data(path, whole);
  check_mpi(vtemper_mpi_share(whole, own_rank, all_ranks, &own));
  vtemper_data_destroy(whole);
  return own;
}

vtemper_data* ranks_read(const char* path, const char* format, const char* vocabulary) {
  if (working_ranks < all_ranks) return corpus_read(path, format, vocabulary);
  if (vocabulary) refuse_pipe(vocabulary);
  const bool file_a_rank = on_any_rank(strstr(path, "%r") != NULL);
  vtemper_data* own = file_a_rank ? read_own_file(path, format, vocabulary) : read_share(path, format, vocabulary);
  vtemper_data* spread;
  if (file_a_rank) { /* each file may have words of its own */
    vtemper_data* const file = own;
    check_mpi(vtemper_mpi_unite(file, MPI_COMM_WORLD, &own));
    vtemper_data_destroy(file);
  }
  check(vtemper_data_spread(own, group, &spread));
  vtemper_data_destroy(own);
  return spread;
}

double ranks_sum(double own) {
  if (working_ranks == 1) return own;
  double sum = 0;
  double* all = allocate((size_t)all_ranks, sizeof *all);
  MPI_Allgather(&own, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < all_ranks; ++i) sum += all[i];
  free(all);
  return sum;
}

static int numbers_from(int64_t first, int64_t length) {
  return (int)(length - first < NUMBERS_AT_ONCE ? length - first : NUMBERS_AT_ONCE);
}

void ranks_send(const double* values, int64_t length) {
  for (int64_t i = 0; i < length; i += NUMBERS_AT_ONCE) {
    MPI_Send(values + i, numbers_from(i, length), MPI_DOUBLE, 0, TAG_VALUES, MPI_COMM_WORLD);
  }
}

void ranks_receive(int from, double* values, int64_t length) {
  for (int64_t i = 0; i < length; i += NUMBERS_AT_ONCE) {
    MPI_Status status;
    int received;
    MPI_Recv(values + i, numbers_from(i, length), MPI_DOUBLE, from, TAG_VALUES, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &received);
    if (received != numbers_from(i, length)) {
      fail("rank %d has sent %d numbers where rank 0 has %d", from, received, numbers_from(i, length));
    }
  }
}
