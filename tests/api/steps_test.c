/* All ways to take the same steps give the same bits: step, run, feed, the two halves, any number of threads. */
#include <math.h>

#include "fixtures.h"
#include "support/assert.h"

static const char* const methods[] = {"vi", "svi", "annealing", "tempering", "local_tempering"};
enum { method_count = 5, steps = 6 };

static vtemper_options* options_for(const char* method) {
  vtemper_options* options = options_of("method", method, "seed", "5", "max_iterations", "6", NULL);
  if (strcmp(method, "vi") != 0) OK(vtemper_options_set(options, "batch_size", "16"));
  return options;
}

static void test_step_and_run(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  for (int m = 0; m < method_count; ++m) {
    vtemper_optimizer* together = fit_of(data, options_for(methods[m]));
    vtemper_optimizer* singly = fit_of(data, options_for(methods[m]));
    vtemper_optimizer* run = fit_of(data, options_for(methods[m]));
    vtemper_report report = {.struct_size = sizeof report};
    OK(vtemper_optimizer_step(together, steps, &report));
    assert_int_equal(report.iteration, steps);
    for (int i = 1; i <= steps; ++i) {
      OK(vtemper_optimizer_step(singly, 1, &report));
      assert_int_equal(report.iteration, i);
    }
    OK(vtemper_optimizer_run(run, &report));
    assert_int_equal(report.iteration, steps);
    assert_int_equal(report.finished, 1);
    assert_true(report.rows_seen > 0 && report.passes > 0 && report.seconds >= 0);
    assert_true(report.temperature >= 1);
    assert_close(report.temperature * report.inverse_temperature, 1, 1e-12);
    const topics a = optimizer_topics(together), b = optimizer_topics(singly), c = optimizer_topics(run);
    assert_same_bits(&a, &b);
    assert_same_bits(&a, &c);
    vtemper_optimizer_destroy(together);
    vtemper_optimizer_destroy(singly);
    vtemper_optimizer_destroy(run);
  }
  vtemper_data_destroy(data);
}

static void test_no_steps(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_optimizer* optimizer = fit_of(data, options_for("svi"));
  const topics before = optimizer_topics(optimizer);
  vtemper_report report = {.struct_size = sizeof report};
  OK(vtemper_optimizer_step(optimizer, 0, &report));
  assert_int_equal(report.iteration, 0);
  const topics after = optimizer_topics(optimizer);
  assert_same_bits(&before, &after);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
}

static void test_halves(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  for (int m = 0; m < method_count; ++m) {
    vtemper_optimizer* whole = fit_of(data, options_for(methods[m]));
    vtemper_optimizer* halves = fit_of(data, options_for(methods[m]));
    int64_t length = 0;
    OK(vtemper_optimizer_statistics_length(halves, &length));
    double* statistics = malloc((size_t)length * sizeof *statistics);
    for (int i = 1; i <= steps; ++i) {
      vtemper_report report = {.struct_size = sizeof report};
      OK(vtemper_optimizer_step(whole, 1, NULL));
      const topics before = optimizer_topics(halves);
      OK(vtemper_optimizer_local_step(halves, NULL, statistics, length));
      const topics between = optimizer_topics(halves);
      assert_same_bits(&before, &between);
      OK(vtemper_optimizer_global_step(halves, statistics, length, &report));
      assert_int_equal(report.iteration, i);
      const topics a = optimizer_topics(whole), b = optimizer_topics(halves);
      assert_same_bits(&a, &b);
    }
    free(statistics);
    vtemper_optimizer_destroy(whole);
    vtemper_optimizer_destroy(halves);
  }
  vtemper_data_destroy(data);
}

/* Feeding rows: all rows are a full-batch step; slices equal their two halves; the statistics of two machines,
 * summed, give the step on both parts up to the order of sums. */
static void test_feed(void** state) {
  (void)state;
  vtemper_data *data = corpus_data(), *first = corpus_slice(0, 25), *second = corpus_slice(25, 60);
  vtemper_optimizer *stepped = fit_of(data, options_for("vi")), *fed = fit_of(data, options_for("vi"));
  for (int i = 0; i < steps; ++i) {
    OK(vtemper_optimizer_step(stepped, 1, NULL));
    OK(vtemper_optimizer_feed(fed, data, NULL));
    const topics a = optimizer_topics(stepped), b = optimizer_topics(fed);
    assert_same_bits(&a, &b);
  }
  vtemper_optimizer_destroy(stepped);
  vtemper_optimizer_destroy(fed);

  vtemper_model *model = lda_of(NULL), *other_model = NULL;
  OK(vtemper_model_initialize(model, data, 5));
  OK(vtemper_model_copy(model, &other_model));
  vtemper_optimizer* streaming =
      optimizer_of(model, NULL, options_of("method", "svi", "rows_total", "60", "seed", "5", NULL));
  vtemper_optimizer* summing =
      optimizer_of(other_model, NULL, options_of("method", "svi", "rows_total", "60", "seed", "5", NULL));
  int64_t length = 0;
  OK(vtemper_optimizer_statistics_length(summing, &length));
  double* statistics = malloc((size_t)length * sizeof *statistics);
  for (int i = 0; i < 2; ++i) {
    vtemper_report report = {.struct_size = sizeof report};
    OK(vtemper_optimizer_feed(streaming, i == 0 ? first : second, &report));
    assert_int_equal(report.rows_seen, i == 0 ? 25 : 60);
    OK(vtemper_optimizer_local_step(summing, i == 0 ? first : second, statistics, length));
    OK(vtemper_optimizer_global_step(summing, statistics, length, NULL));
    const topics a = optimizer_topics(streaming), b = optimizer_topics(summing);
    assert_same_bits(&a, &b);
  }
  REFUSED(VTEMPER_ERROR_STATE, "data", vtemper_optimizer_step(streaming, 1, NULL));
  REFUSED(VTEMPER_ERROR_STATE, "data", vtemper_optimizer_run(streaming, NULL));
  REFUSED(VTEMPER_ERROR_STATE, "batch", vtemper_optimizer_local_step(summing, NULL, statistics, length));

  /* Rows of no words are rows; no rows are nothing. */
  vtemper_data *nothing = corpus_slice(0, 0), *empty = corpus_slice(7, 8);
  const topics unchanged = optimizer_topics(streaming);
  REFUSED(VTEMPER_ERROR_DATA, "no rows", vtemper_optimizer_feed(streaming, nothing, NULL));
  const topics seen = optimizer_topics(streaming);
  assert_same_bits(&seen, &unchanged);
  OK(vtemper_optimizer_feed(streaming, empty, NULL));
  OK(vtemper_optimizer_feed(summing, empty, NULL));
  vtemper_data_destroy(nothing);
  vtemper_data_destroy(empty);

  /* Two machines. */
  double* sum = calloc((size_t)length, sizeof *sum);
  for (int machine = 0; machine < 2; ++machine) {
    OK(vtemper_optimizer_local_step(summing, machine == 0 ? first : second, statistics, length));
    for (int64_t i = 0; i < length; ++i) sum[i] += statistics[i];
  }
  OK(vtemper_optimizer_feed(streaming, data, NULL));
  OK(vtemper_optimizer_global_step(summing, sum, length, NULL));
  const topics a = optimizer_topics(streaming), b = optimizer_topics(summing);
  for (int i = 0; i < corpus_topics * corpus_columns; ++i) {
    assert_close(a.lambda[i], b.lambda[i], 1e-9 * fabs(a.lambda[i]));
  }
  free(sum);
  free(statistics);
  vtemper_optimizer_destroy(streaming);
  vtemper_optimizer_destroy(summing);
  vtemper_model_destroy(model);
  vtemper_model_destroy(other_model);
  vtemper_data_destroy(first);
  vtemper_data_destroy(second);
  vtemper_data_destroy(data);
}

static void test_threads(void** state) {
  (void)state;
  const char *threads[] = {"1", "2", "8"}, *precisions[] = {"double", "float"};
  vtemper_data* data = corpus_data();
  for (int m = 0; m < method_count; ++m) {
    for (int p = 0; p < 2; ++p) {
      topics expected;
      double expected_elbo = 0;
      for (int t = 0; t < 3; ++t) {
        vtemper_options* options = options_for(methods[m]);
        vtemper_report report = {.struct_size = sizeof report};
        double elbo;
        OK(vtemper_options_set(options, "threads", threads[t]));
        vtemper_model* model = lda_of(options_of("topics", "4", "precision", precisions[p], NULL));
        vtemper_optimizer* optimizer = optimizer_of(model, data, options);
        OK(vtemper_optimizer_step(optimizer, steps, &report));
        OK(vtemper_model_evaluate(model, data, NULL, "elbo", NULL, &elbo));
        const topics seen = model_topics(model);
        if (t == 0) {
          expected = seen;
          expected_elbo = elbo;
        } else {
          assert_same_bits(&seen, &expected);
          assert_true(elbo == expected_elbo);
        }
        vtemper_optimizer_destroy(optimizer);
        vtemper_model_destroy(model);
      }
    }
  }
  vtemper_data_destroy(data);
}

/* At temperature 1 annealing equals the method without it. */
static void test_annealing_at_one(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_options* options = options_for("annealing");
  OK(vtemper_options_set(options, "temperature_start", "1"));
  vtemper_optimizer *annealed = fit_of(data, options), *plain = fit_of(data, options_for("svi"));
  OK(vtemper_optimizer_step(annealed, steps, NULL));
  OK(vtemper_optimizer_step(plain, steps, NULL));
  const topics a = optimizer_topics(annealed), b = optimizer_topics(plain);
  assert_same_bits(&a, &b);
  vtemper_optimizer_destroy(annealed);
  vtemper_optimizer_destroy(plain);
  vtemper_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_step_and_run), cmocka_unit_test(test_no_steps), cmocka_unit_test(test_halves),
      cmocka_unit_test(test_feed),         cmocka_unit_test(test_threads),  cmocka_unit_test(test_annealing_at_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
