/* Option deadline ends the initialisation of a model before most of its memory is touched. How long that takes
 * depends on the system; how much is touched does not. */
#include <sys/resource.h>

#include "fixtures.h"

enum { rows = 40, columns = 500, kilobytes = 800 << 10 };

/** The most memory that the process has touched, in KB. */
static long peak(void) {
  struct rusage usage;
  assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
  return usage.ru_maxrss;
}

static void a_large_mixture(void** state) {
  static double values[rows * columns];
  vtemper_data* data = NULL;
  vtemper_model* model = NULL;
  vtemper_optimizer* optimizer = NULL;
  uint32_t random = 7;
  (void)state;
  for (int64_t i = 0; i < rows * columns; ++i) values[i] = (double)corpus_random(&random);
  OK(vtemper_data_from_dense(rows, columns, values, VTEMPER_DOUBLE, columns, 1, VTEMPER_BORROW, NULL, NULL, &data));
  /* Its covariances, their inverses and factors take 800 MB. */
  vtemper_options* of_model = options_of("components", "160", NULL);
  OK(vtemper_model_create("gaussian_mixture", of_model, &model));
  vtemper_options* of_run = options_of("deadline", "0.01", NULL);
  const long before = peak();
  REFUSED(VTEMPER_CANCELLED, "deadline", vtemper_optimizer_create(model, data, of_run, &optimizer));
  const long touched = peak() - before;
  if (touched > kilobytes / 2) fail_msg("%ld of %d KB were touched after the deadline", touched, (int)kilobytes);
  vtemper_options_destroy(of_run);
  vtemper_options_destroy(of_model);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_large_mixture)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
