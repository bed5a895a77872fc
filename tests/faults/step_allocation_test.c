/* After the first steps of a fit, a step allocates nothing. */
#include <math.h>

#include "../api/fixtures.h"
#include "failing_memory.h"

/** Steps before counting: every row has been in a batch, the trace has had its first rows, threads exist. */
enum { first_steps = 8, counted_steps = 16 };

static void check(const char* method, const char* batch_size, const char* threads, const char* precision,
                  const char* elbo_every) {
  vtemper_data* data = corpus_data();
  vtemper_options* model_options = options_of("topics", "4", "precision", precision, NULL);
  vtemper_options* options = options_of("method", method, "batch_size", batch_size, "threads", threads,
                                        "max_iterations", "30", "report_every", "3", "elbo_every", elbo_every, NULL);
  vtemper_model* model = lda_of(model_options);
  vtemper_optimizer* optimizer = optimizer_of(model, data, options);
  vtemper_report report = {.struct_size = sizeof report};
  OK(vtemper_optimizer_step(optimizer, first_steps, &report));
  for (int i = 0; i < counted_steps; ++i) {
    atomic_store(&memory_calls, 0);
    const vtemper_status status = vtemper_optimizer_step(optimizer, 1, &report);
    const long calls = atomic_load(&memory_calls);
    OK(status);
    if (calls != 0) {
      fail_msg("%s, batch_size %s, %s threads, %s, elbo_every %s: step %d allocated %ld times", method, batch_size,
               threads, precision, elbo_every, (int)report.iteration, calls);
    }
  }
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

static void check_method(const char* method, const char* batch_size) {
  const char *const threads[] = {"1", "2"}, *const precisions[] = {"float", "double"}, *const elbos[] = {"0", "5"};
  for (int choice = 0; choice < 4; ++choice) {
    check(method, batch_size, threads[choice / 2], precisions[choice % 2], elbos[(choice + 1) / 2 % 2]);
  }
}

static void test_vi(void** state) {
  (void)state;
  check_method("vi", "0");
}

static void test_svi(void** state) {
  (void)state;
  check_method("svi", "16");
}

static void test_annealing(void** state) {
  (void)state;
  check_method("annealing", "16");
  check_method("annealing", "0");
}

static void test_tempering(void** state) {
  (void)state;
  check_method("tempering", "16");
  check_method("tempering", "0");
}

static void test_local_tempering(void** state) {
  (void)state;
  check_method("local_tempering", "16");
  check_method("local_tempering", "0");
}

static void test_entropy_annealing(void** state) {
  (void)state;
  check_method("entropy_annealing", "16");
  check_method("entropy_annealing", "0");
}

static void test_stochastic_annealing(void** state) {
  (void)state;
  check_method("stochastic_annealing", "16");
  check_method("stochastic_annealing", "0");
}

/* Dense rows, some with missing values. */
static void check_mixture(const char* method, const char* batch_size, const char* covariance, const char* threads) {
  enum { rows = 60, columns = 3 };
  double values[rows * columns];
  uint32_t state = 5;
  for (int i = 0; i < rows * columns; ++i) {
    const double value = (double)(i / columns % 3) * 4 + (double)corpus_random(&state) / 32768.0;
    values[i] = i % 11 == 0 ? NAN : value;
  }
  vtemper_data* data = NULL;
  OK(vtemper_data_from_dense(rows, columns, values, VTEMPER_DOUBLE, columns, 1, VTEMPER_COPY, NULL, NULL, &data));
  vtemper_options* model_options = options_of("components", "4", "covariance", covariance, NULL);
  vtemper_options* options = options_of("method", method, "batch_size", batch_size, "threads", threads,
                                        "max_iterations", "30", "report_every", "3", "elbo_every", "2", NULL);
  vtemper_model* model = NULL;
  OK(vtemper_model_create("gaussian_mixture", model_options, &model));
  vtemper_options_destroy(model_options);
  vtemper_optimizer* optimizer = optimizer_of(model, data, options);
  vtemper_report report = {.struct_size = sizeof report};
  OK(vtemper_optimizer_step(optimizer, first_steps, &report));
  for (int i = 0; i < counted_steps; ++i) {
    atomic_store(&memory_calls, 0);
    const vtemper_status status = vtemper_optimizer_step(optimizer, 1, &report);
    const long calls = atomic_load(&memory_calls);
    OK(status);
    if (calls != 0) {
      fail_msg("gaussian_mixture, %s, batch_size %s, %s, %s threads: step %d allocated %ld times", method, batch_size,
               covariance, threads, (int)report.iteration, calls);
    }
  }
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

static void test_gaussian_mixture(void** state) {
  (void)state;
  const char* const methods[] = {"vi",        "annealing",       "entropy_annealing",
                                 "tempering", "local_tempering", "stochastic_annealing"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
    check_mixture(methods[i], "0", "normal_wishart", "2");
    check_mixture(methods[i], "0", "independent", "1");
  }
  check_mixture("svi", "16", "normal_wishart", "1");
  check_mixture("svi", "16", "independent", "2");
}

/* The counter would see one. */
static void test_counter(void** state) {
  (void)state;
  vtemper_data *data = corpus_data(), *selected = NULL;
  const int64_t rows[1] = {0};
  atomic_store(&memory_calls, 0);
  OK(vtemper_data_select(data, rows, 1, &selected));
  assert_true(atomic_load(&memory_calls) > 3);
  vtemper_data_destroy(selected);
  vtemper_data_destroy(data);
}

int main(void) {
  if (!can_fail_memory()) {
    puts("another malloc is in use (a sanitizer, valgrind)");
    return 77;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counter),
      cmocka_unit_test(test_vi),
      cmocka_unit_test(test_svi),
      cmocka_unit_test(test_annealing),
      cmocka_unit_test(test_tempering),
      cmocka_unit_test(test_local_tempering),
      cmocka_unit_test(test_gaussian_mixture),
      cmocka_unit_test(test_entropy_annealing),
      cmocka_unit_test(test_stochastic_annealing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
