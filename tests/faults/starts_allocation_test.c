/* A run makes several starts by default. If memory for one of them, or for its comparison with the others, is missing
 * once, the run fails; continued, from its handle or from a checkpoint, it makes the same starts and has the same
 * bits as without the failure. */
#include "../api/fixtures.h"
#include "failing_memory.h"

enum { ROWS = 60, COLUMNS = 2, COMPONENTS = 4 };

static vtemper_data* clusters(void) {
  double values[ROWS * COLUMNS];
  uint32_t state = 5;
  for (int i = 0; i < ROWS * COLUMNS; ++i) {
    values[i] = (double)(i / COLUMNS % 5) * 3 + (double)corpus_random(&state) / 16384.0;
  }
  vtemper_data* data = NULL;
  OK(vtemper_data_from_dense(ROWS, COLUMNS, values, VTEMPER_DOUBLE, COLUMNS, 1, VTEMPER_COPY, NULL, NULL, &data));
  return data;
}

static vtemper_optimizer* begin(const vtemper_data* data) {
  vtemper_options* of_model = options_of("components", "4", "start", "random", NULL);
  vtemper_model* model = NULL;
  OK(vtemper_model_create("gaussian_mixture", of_model, &model));
  vtemper_optimizer* optimizer = optimizer_of(model, data, options_of("threads", "1", "seed", "4", NULL));
  vtemper_options_destroy(of_model);
  vtemper_model_destroy(model);
  return optimizer;
}

/* What a finished run has, and ends it. */
typedef struct result {
  double starts, mean[COMPONENTS * COLUMNS];
  int64_t iteration;
} result;

static result result_of(vtemper_optimizer* optimizer) {
  result made = {0};
  vtemper_report report = {.struct_size = sizeof report};
  vtemper_model* model = NULL;
  OK(vtemper_optimizer_run(optimizer, &report));
  assert_int_equal(report.finished, 1);
  made.iteration = report.iteration;
  OK(vtemper_optimizer_get(optimizer, "restarts.ended", &made.starts, 1));
  OK(vtemper_optimizer_model(optimizer, &model));
  OK(vtemper_model_get(model, "mean", made.mean, COMPONENTS * COLUMNS));
  vtemper_model_destroy(model);
  vtemper_optimizer_destroy(optimizer);
  return made;
}

static void assert_same(const result* a, const result* b, long call) {
  if (a->starts == b->starts && a->iteration == b->iteration && memcmp(a->mean, b->mean, sizeof a->mean) == 0) return;
  fail_msg("after a failure of allocation %ld: %g starts and %d steps instead of %g and %d, or other means", call,
           b->starts, (int)b->iteration, a->starts, (int)a->iteration);
}

static void continued_runs_are_whole(void** state) {
  (void)state;
  if (!can_fail_memory()) skip();
  vtemper_data* data = clusters();
  const result whole = result_of(begin(data));
  assert_true(whole.starts == 20);
  const int all = getenv("VTEMPER_FAULTS") != NULL && strcmp(getenv("VTEMPER_FAULTS"), "all") == 0;
  long failed = 0, without_note = 0;
  /* The first hundred allocations, and then fewer and fewer, unless all are wanted. */
  for (long call = 0;; call += all ? 1 : 1 + call / 100) {
    vtemper_optimizer *optimizer = begin(data), *loaded = NULL;
    atomic_store(&memory_calls, 0);
    atomic_store(&memory_fails_at, call + 1);
    const vtemper_status status = vtemper_optimizer_run(optimizer, NULL);
    atomic_store(&memory_fails_at, 0);
    if (status == VTEMPER_OK) {
      const long made = atomic_load(&memory_calls);
      const result complete = result_of(optimizer);
      assert_same(&whole, &complete, call);
      if (made <= call) break; /* the run needs no more */
      ++without_note;          /* a message is lost, not the run */
      continue;
    }
    assert_int_equal(status, VTEMPER_ERROR_MEMORY);
    ++failed;
    if (failed % 7 == 0) { /* every one would take too long */
      int64_t size = 0;
      OK(vtemper_optimizer_save_buffer(optimizer, NULL, 0, &size));
      char* bytes = malloc((size_t)size);
      assert_non_null(bytes);
      OK(vtemper_optimizer_save_buffer(optimizer, bytes, size, &size));
      OK(vtemper_optimizer_load_buffer(bytes, size, data, &loaded));
      free(bytes);
      const result resumed = result_of(loaded);
      assert_same(&whole, &resumed, call);
    }
    const result continued = result_of(optimizer);
    assert_same(&whole, &continued, call);
  }
  print_message("%ld runs were continued after an allocation failed, %ld lost a message alone\n", failed,
                without_note);
  assert_true(failed > 500 && without_note < failed / 10);
  vtemper_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(continued_runs_are_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
