/* OpenBLAS's own threads do no work for the library, and their number stays what it was: with 8 of them allowed, all
   processor time of a fit that consists of large products is the caller's, and there are no threads except those that
   OpenBLAS itself started.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fixtures.h"

enum { rows = 400, columns = 200 };

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int tasks(void) {
  int count = -2; /* . and .. */
  DIR* folder = opendir("/proc/self/task");
  if (folder == NULL) skip();
  while (readdir(folder) != NULL) ++count;
  closedir(folder);
  return count;
}

static void test_threads(void** state) {
  (void)state;
  static double values[rows * columns];
  unsigned random = 1;
  for (int i = 0; i < rows * columns; ++i) {
    random = random * 1664525u + 1013904223u;
    values[i] = random / 4294967296.0 + (i / columns % 2) * (i % 3);
  }
  vtemper_data* data = NULL;
  OK(vtemper_data_from_dense(rows, columns, values, VTEMPER_DOUBLE, columns, 1, VTEMPER_COPY, NULL, NULL, &data));
  vtemper_options* model_options = options_of("components", "3", "covariance", "independent", NULL);
  vtemper_model* model = NULL;
  OK(vtemper_model_create("gaussian_mixture", model_options, &model));
  vtemper_options_destroy(model_options);
  vtemper_options* options = options_of("method", "vi", "threads", "1", NULL);
  vtemper_optimizer* optimizer = optimizer_of(model, data, options);
  OK(vtemper_optimizer_step(optimizer, 1, NULL)); /* OpenBLAS is loaded by the first large product */
  const int tasks_before = tasks();
  const double all_before = seconds(CLOCK_PROCESS_CPUTIME_ID), own_before = seconds(CLOCK_THREAD_CPUTIME_ID);
  OK(vtemper_optimizer_step(optimizer, 12, NULL));
  const double all = seconds(CLOCK_PROCESS_CPUTIME_ID) - all_before;
  const double own = seconds(CLOCK_THREAD_CPUTIME_ID) - own_before;
  assert_int_equal(tasks(), tasks_before);
  if (all - own > 0.02 * all) fail_msg("of %g s of processor time %g s are other threads'", all, all - own);
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

int main(int count, char** arguments) {
  (void)count;
  /* Read when the libraries are loaded. With scalar kernels OpenBLAS is used whatever its core. */
  if (getenv("OPENBLAS_NUM_THREADS") == NULL || strcmp(getenv("OPENBLAS_NUM_THREADS"), "8") != 0) {
    setenv("OPENBLAS_NUM_THREADS", "8", 1);
    setenv("VTEMPER_SIMD", "scalar", 1);
    execv("/proc/self/exe", arguments);
    return 77;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
