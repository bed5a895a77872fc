/* overhead CORPUS PASSES TOPICS: a fit from C on the corpus in a file of raw arrays, borrowed. Prints the CPU seconds
 * and the seconds from the arrays to the topics, the megabytes that this adds at its peak, and a digest of the
 * topics. The C half of overhead_julia.sh and overhead_r.sh. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <vtemper/vtemper.h>

static void* read_array(FILE* file, size_t size) {
  void* array = malloc(size);
  if (array == NULL || fread(array, 1, size, file) != size) exit(2);
  return array;
}

static size_t size_of(int64_t element) {
  return element == VTEMPER_INT32 ? sizeof(int32_t) : 8;
}

static void check(vtemper_status status) {
  if (status == VTEMPER_OK) return;
  fprintf(stderr, "%s\n", vtemper_last_error());
  exit(1);
}

static double seconds_of(clockid_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) exit(2);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Of this program alone: getrusage would also count what started it. */
static double peak_megabytes(void) {
  FILE* status = fopen("/proc/self/status", "r");
  char line[256];
  double kilobytes = 0;
  while (status != NULL && fgets(line, sizeof line, status) != NULL) {
    if (sscanf(line, "VmHWM: %lf", &kilobytes) == 1) break;
  }
  if (status == NULL || kilobytes == 0) exit(2);
  fclose(status);
  return kilobytes / 1024;
}

int main(int count, char** arguments) {
  FILE* file = count == 4 ? fopen(arguments[1], "rb") : NULL;
  int64_t sizes[7]; /* documents, words, entries; elements of offsets, indices and values; base of indices */
  if (file == NULL || fread(sizes, sizeof sizes, 1, file) != 1) return 2;
  void* offsets = read_array(file, (size_t)(sizes[0] + 1) * size_of(sizes[3]));
  void* indices = read_array(file, (size_t)sizes[2] * size_of(sizes[4]));
  void* values = read_array(file, (size_t)sizes[2] * size_of(sizes[5]));
  fclose(file);

  const double peak = peak_megabytes();
  const double time = seconds_of(CLOCK_MONOTONIC);
  const double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  vtemper_options* of_model;
  vtemper_options* of_run;
  vtemper_data* data;
  vtemper_model* model;
  vtemper_optimizer* optimizer;
  check(vtemper_options_create(&of_model));
  check(vtemper_options_set(of_model, "topics", arguments[3]));
  check(vtemper_options_create(&of_run));
  check(vtemper_options_set(of_run, "method", "svi"));
  check(vtemper_options_set(of_run, "seed", "1"));
  check(vtemper_options_set(of_run, "threads", "1"));
  check(vtemper_options_set(of_run, "batch_size", "1000"));
  check(vtemper_options_set(of_run, "max_passes", arguments[2]));
  check(vtemper_data_from_counts(VTEMPER_BY_ROWS, sizes[0], sizes[1], offsets, (vtemper_element)sizes[3], indices,
                                 (vtemper_element)sizes[4], values, (vtemper_element)sizes[5], sizes[6],
                                 VTEMPER_BORROW, NULL, NULL, &data));
  check(vtemper_model_create("lda", of_model, &model));
  check(vtemper_optimizer_create(model, data, of_run, &optimizer));
  check(vtemper_optimizer_run(optimizer, NULL));
  const int64_t length = atoll(arguments[3]) * sizes[1];
  double* lambda = malloc((size_t)length * sizeof *lambda);
  if (lambda == NULL) return 2;
  check(vtemper_model_get(model, "lambda", lambda, length));
  const double cpu_taken = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  const double time_taken = seconds_of(CLOCK_MONOTONIC) - time;

  double sum = 0;
  for (int64_t i = 0; i < length; ++i) sum += lambda[i] * (double)(1 + i % 97);
  printf("%.4f %.4f %.1f %.17g\n", cpu_taken, time_taken, peak_megabytes() - peak, sum);
  return 0;
}
