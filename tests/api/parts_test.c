/* Slices and parts of a corpus through the C interface: machines (here optimizers in one process) whose statistics
 * are summed have one clock and get the result of one machine; what each would have to choose alone is refused. */
#include <math.h>

#include "fixtures.h"
#include "support/assert.h"

enum { machines = 2, steps = 5 };

static vtemper_data* part_of(const vtemper_data* data, int64_t first, int64_t last, int64_t all) {
  vtemper_data* part = NULL;
  OK(vtemper_data_slice(data, first, last - first, &part));
  OK(vtemper_data_set_part(part, first, all));
  return part;
}

static double number_of(const vtemper_optimizer* optimizer, const char* name) {
  double number = 0;
  OK(vtemper_optimizer_get(optimizer, name, &number, 1));
  return number;
}

static vtemper_options* usual(void) {
  return options_of("method", "annealing", "seed", "5", "batch_size", "20", "max_passes", "8", NULL);
}

/* Shards of 70 and 30 in a hundred, and one row against all others; doubles and floats. */
static void test_unequal_parts(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  const int64_t cuts[] = {42, 1};
  for (int run = 0; run < 4; ++run) {
    const int64_t cut = cuts[run % 2];
    const vtemper_element type = run < 2 ? VTEMPER_DOUBLE : VTEMPER_FLOAT;
    vtemper_optimizer *whole = fit_of(data, usual()), *parts[machines];
    for (int m = 0; m < machines; ++m) {
      vtemper_data* part = part_of(data, m == 0 ? 0 : cut, m == 0 ? cut : corpus_rows, corpus_rows);
      parts[m] = fit_of(part, usual());
      vtemper_data_destroy(part);
    }
    int64_t length = 0;
    OK(vtemper_optimizer_statistics_length(parts[0], &length));
    double *doubles = malloc((size_t)length * sizeof *doubles), *sum = malloc((size_t)length * sizeof *sum);
    float *floats = malloc((size_t)length * sizeof *floats), *float_sum = malloc((size_t)length * sizeof *float_sum);
    for (int step = 0; step < steps; ++step) {
      for (int64_t i = 0; i < length; ++i) sum[i] = float_sum[i] = 0;
      for (int m = 0; m < machines; ++m) {
        void* to = type == VTEMPER_FLOAT ? (void*)floats : (void*)doubles;
        OK(vtemper_optimizer_local_step_at(parts[m], NULL, 0, 0, to, type, length));
        for (int64_t i = 0; type == VTEMPER_FLOAT && i < length; ++i) float_sum[i] += floats[i];
        for (int64_t i = 0; type == VTEMPER_DOUBLE && i < length; ++i) sum[i] += doubles[i];
      }
      vtemper_report report = {.struct_size = sizeof report}, other = report, alone = report;
      const void* from = type == VTEMPER_FLOAT ? (void*)float_sum : (void*)sum;
      OK(vtemper_optimizer_global_step_of(parts[0], from, type, length, &report));
      OK(vtemper_optimizer_global_step_of(parts[1], from, type, length, &other));
      OK(vtemper_optimizer_step(whole, 1, &alone));
      assert_true(report.temperature == other.temperature && report.step_size == other.step_size);
      assert_close(report.temperature, alone.temperature, 1e-6);
      assert_true(report.step_size == alone.step_size);
      assert_true(report.rows_seen == alone.rows_seen && report.passes == alone.passes);
    }
    assert_true(number_of(whole, "steps_total") == 24);
    for (int m = 0; m < machines; ++m) assert_true(number_of(parts[m], "steps_total") == 24);
    const topics a = optimizer_topics(whole), b = optimizer_topics(parts[0]), c = optimizer_topics(parts[1]);
    assert_same_bits(&b, &c);
    const double tolerance = type == VTEMPER_FLOAT ? 1e-4 : 1e-9;
    for (int i = 0; i < corpus_topics * corpus_columns; ++i) {
      assert_close(a.lambda[i], b.lambda[i], tolerance * fabs(a.lambda[i]));
    }
    free(doubles);
    free(sum);
    free(floats);
    free(float_sum);
    vtemper_optimizer_destroy(whole);
    for (int m = 0; m < machines; ++m) vtemper_optimizer_destroy(parts[m]);
  }
  vtemper_data_destroy(data);
}

/* Another machine continues from the checkpoint of one. */
static void test_checkpoint(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_data *first = part_of(data, 0, 25, corpus_rows), *second = part_of(data, 25, corpus_rows, corpus_rows);
  vtemper_optimizer *fit = fit_of(first, usual()), *taken_up = NULL;
  int64_t size = 0;
  OK(vtemper_optimizer_save_buffer(fit, NULL, 0, &size));
  void* bytes = malloc((size_t)size);
  OK(vtemper_optimizer_save_buffer(fit, bytes, size, &size));
  OK(vtemper_optimizer_load_buffer(bytes, size, second, &taken_up));
  assert_true(number_of(taken_up, "steps_total") == 24);
  free(bytes);
  vtemper_optimizer_destroy(taken_up);
  vtemper_optimizer_destroy(fit);
  vtemper_data_destroy(first);
  vtemper_data_destroy(second);
  vtemper_data_destroy(data);
}

static void test_refusals(void** state) {
  (void)state;
  vtemper_data *data = corpus_data(), *slice = NULL, *part = part_of(data, 20, 50, corpus_rows);
  REFUSED(VTEMPER_ERROR_ARGUMENT, "first", vtemper_data_slice(data, 61, 0, &slice));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "count", vtemper_data_slice(data, 1, 60, &slice));
  assert_null(slice);
  int64_t first = 0, rows = 0;
  OK(vtemper_data_part(part, &first, &rows));
  assert_true(first == 20 && rows == corpus_rows);
  OK(vtemper_data_part(data, &first, &rows));
  assert_true(first == 0 && rows == corpus_rows);

  /* One machine alone cannot take whole steps. */
  vtemper_optimizer* fit = fit_of(part, usual());
  int64_t length = 0;
  OK(vtemper_optimizer_statistics_length(fit, &length));
  double* statistics = malloc((size_t)length * sizeof *statistics);
  REFUSED(VTEMPER_ERROR_STATE, "part of a corpus", vtemper_optimizer_step(fit, 1, NULL));
  REFUSED(VTEMPER_ERROR_STATE, "part of a corpus", vtemper_optimizer_run(fit, NULL));
  REFUSED(VTEMPER_ERROR_STATE, "part of a corpus", vtemper_optimizer_feed(fit, data, NULL));
  REFUSED(VTEMPER_ERROR_STATE, "part of a corpus", vtemper_optimizer_local_step(fit, data, statistics, length));
  REFUSED(VTEMPER_ERROR_STATE, "local_step_at",
          vtemper_optimizer_local_step_at(fit, data, 0, 60, statistics, VTEMPER_DOUBLE, length));
  const topics before = optimizer_topics(fit);
  OK(vtemper_optimizer_local_step(fit, NULL, statistics, length));
  REFUSED(VTEMPER_ERROR_DATA, "on all machines", vtemper_optimizer_global_step(fit, statistics, length, NULL));
  const topics after = optimizer_topics(fit);
  assert_same_bits(&before, &after);
  vtemper_optimizer_destroy(fit);

  /* Data that were not declared as a part. */
  vtemper_data* alone = corpus_slice(0, 30);
  fit = fit_of(alone, options_of("method", "svi", "batch_size", "10", NULL));
  OK(vtemper_optimizer_local_step(fit, NULL, statistics, length));
  for (int64_t i = 0; i < length; ++i) statistics[i] *= 2;
  REFUSED(VTEMPER_ERROR_DATA, "vtemper_data_set_part", vtemper_optimizer_global_step(fit, statistics, length, NULL));
  vtemper_optimizer_destroy(fit);

  /* What cannot be chosen without the whole corpus. */
  OK(vtemper_data_set_part(alone, 0, corpus_rows));
  vtemper_model* model = lda_of(NULL);
  vtemper_options* options = usual();
  REFUSED(VTEMPER_ERROR_STATE, "not initialised", vtemper_optimizer_create(model, alone, options, &fit));
  OK(vtemper_model_initialize(model, data, 5));
  OK(vtemper_optimizer_create(model, alone, options, &fit));
  REFUSED(VTEMPER_ERROR_OPTION, "temperature_start", vtemper_optimizer_local_step(fit, NULL, statistics, length));
  vtemper_optimizer_destroy(fit);
  OK(vtemper_options_set(options, "temperature_start", "2"));
  OK(vtemper_optimizer_create(model, alone, options, &fit));
  OK(vtemper_optimizer_local_step(fit, NULL, statistics, length));
  vtemper_optimizer_destroy(fit);
  double weights[30];
  for (int i = 0; i < 30; ++i) weights[i] = 1 + i % 2;
  OK(vtemper_data_set_weights(alone, weights, 30));
  REFUSED(VTEMPER_ERROR_OPTION, "rows_total", vtemper_optimizer_create(model, alone, options, &fit));
  OK(vtemper_options_set(options, "deadline", "10"));
  REFUSED(VTEMPER_ERROR_OPTION, "deadline", vtemper_optimizer_create(model, part, options, &fit));
  vtemper_options_destroy(options);

  /* Rows that are fed. */
  fit = optimizer_of(model, NULL, options_of("method", "annealing", "rows_total", "60", "max_passes", "9", NULL));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "step_rows",
          vtemper_optimizer_local_step_at(fit, data, 0, 59, statistics, VTEMPER_DOUBLE, length));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "first_place",
          vtemper_optimizer_local_step_at(fit, data, 1, 60, statistics, VTEMPER_DOUBLE, length));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "statistics_type",
          vtemper_optimizer_local_step_at(fit, data, 0, 60, statistics, VTEMPER_INT32, length));
  const int others[] = {0, 5, 99, -1, INT32_MIN}; /* of no element type */
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    char said[40];
    snprintf(said, sizeof said, "statistics_type is %d;", others[i]);
    REFUSED(VTEMPER_ERROR_ARGUMENT, said,
            vtemper_optimizer_local_step_at(fit, data, 0, 60, statistics, (vtemper_element)others[i], length));
    REFUSED(VTEMPER_ERROR_ARGUMENT, said,
            vtemper_optimizer_global_step_of(fit, statistics, (vtemper_element)others[i], length, NULL));
  }
  REFUSED(VTEMPER_ERROR_OPTION, "temperature_start",
          vtemper_optimizer_local_step_at(fit, data, 0, 90, statistics, VTEMPER_DOUBLE, length));
  OK(vtemper_optimizer_local_step_at(fit, data, 0, 60, statistics, VTEMPER_DOUBLE, length));
  OK(vtemper_optimizer_global_step(fit, statistics, length, NULL));
  vtemper_optimizer_destroy(fit);
  free(statistics);
  vtemper_model_destroy(model);
  vtemper_data_destroy(alone);
  vtemper_data_destroy(part);
  vtemper_data_destroy(data);
}

/* The layout of the statistics is described, and the arrays are where it says. */
static void test_layout(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_optimizer* fit = fit_of(data, options_of("method", "svi", "batch_size", "60", NULL));
  int64_t length = 0, place = 0;
  int32_t count = 0;
  OK(vtemper_optimizer_statistics_length(fit, &length));
  OK(vtemper_optimizer_statistics_count(fit, &count));
  double* statistics = malloc((size_t)length * sizeof *statistics);
  OK(vtemper_optimizer_local_step(fit, NULL, statistics, length));
  int found = 0;
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity info = {.struct_size = sizeof info};
    OK(vtemper_optimizer_statistics_info(fit, i, &info));
    int64_t size = 1;
    for (int d = 0; d < info.rank; ++d) size *= info.shape[d];
    if (strcmp(info.name, "sums.count") == 0) {
      assert_true(statistics[place] == corpus_rows);
      ++found;
    } else if (strcmp(info.name, "words") == 0) {
      assert_true(info.rank == 2 && info.shape[0] == corpus_columns && info.shape[1] == corpus_topics);
      double total = 0, tokens = 0;
      for (int64_t j = 0; j < size; ++j) total += statistics[place + j];
      OK(vtemper_data_total(data, &tokens));
      assert_close(total, tokens, 1e-6 * tokens);
      ++found;
    }
    place += size;
  }
  assert_int_equal(place, length);
  assert_int_equal(found, 2);
  vtemper_quantity info = {.struct_size = sizeof info};
  REFUSED(VTEMPER_ERROR_ARGUMENT, "index", vtemper_optimizer_statistics_info(fit, count, &info));
  free(statistics);
  vtemper_optimizer_destroy(fit);
  vtemper_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unequal_parts),
      cmocka_unit_test(test_checkpoint),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_layout),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
