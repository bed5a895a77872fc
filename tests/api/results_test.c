/* Results are finite: where data or weights are too large or too small for that, the call fails with a message.
 * Declared sizes without data behind them are refused at once. */
#include <float.h>
#include <math.h>
#include <stdint.h>

#include "api/fixtures.h"

static vtemper_data* counts_of(double count) {
  const int64_t offsets[] = {0, 3, 6, 9};
  const int32_t indices[] = {0, 1, 2, 1, 2, 3, 0, 2, 3};
  double values[9];
  vtemper_data* data = NULL;
  for (int i = 0; i < 9; ++i) values[i] = count;
  OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, 3, 4, offsets, VTEMPER_INT64, indices, VTEMPER_INT32, values,
                              VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &data));
  return data;
}

static void huge_counts_are_told(void** state) {
  (void)state;
  vtemper_data *usual = counts_of(2), *huge = counts_of(1e38);
  vtemper_model* model = NULL;
  vtemper_options* options = options_of("topics", "2", NULL);
  double out[6], score = 0;
  OK(vtemper_model_create("lda", options, &model));
  OK(vtemper_model_initialize(model, usual, 1));
  OK(vtemper_model_infer(model, usual, "proportions", NULL, out, 6));
  const vtemper_status inferred = vtemper_model_infer(model, huge, "proportions", NULL, out, 6);
  assert_true(inferred == VTEMPER_ERROR_NUMERIC || (inferred == VTEMPER_OK && isfinite(out[0]) && isfinite(out[5])));
  const vtemper_status scored = vtemper_model_evaluate(model, huge, NULL, "elbo", NULL, &score);
  assert_true(scored == VTEMPER_ERROR_NUMERIC || (scored == VTEMPER_OK && isfinite(score)));
  vtemper_options_destroy(options);
  vtemper_model_destroy(model);
  vtemper_data_destroy(huge);
  vtemper_data_destroy(usual);
}

static void coherence_of_tiny_weights_is_told(void** state) {
  (void)state;
  vtemper_data* data = counts_of(2);
  const double weights[] = {5e-324, 5e-324, 5e-324};
  vtemper_model* model = NULL;
  vtemper_options* options = options_of("topics", "2", NULL);
  double score = 0, scores[2];
  OK(vtemper_model_create("lda", options, &model));
  OK(vtemper_model_initialize(model, data, 1));
  OK(vtemper_data_set_weights(data, weights, 3));
  REFUSED(VTEMPER_ERROR_NUMERIC, "coherence_umass",
          vtemper_model_evaluate(model, data, NULL, "coherence_umass", NULL, &score));
  REFUSED(VTEMPER_ERROR_NUMERIC, "coherence_umass",
          vtemper_model_evaluate_topics(model, data, "coherence_umass", NULL, scores, 2));
  vtemper_options_destroy(options);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

static void steps_beyond_the_numbers_are_not_taken(void** state) {
  (void)state;
  vtemper_data* data = counts_of(2);
  const double weights[] = {1e100, 1e100, 1e100};
  vtemper_model* model = NULL;
  vtemper_options* options = options_of("topics", "2", NULL);
  double before[8], after[8];
  OK(vtemper_data_set_weights(data, weights, 3));
  OK(vtemper_model_create("lda", options, &model));
  OK(vtemper_model_initialize(model, data, 1));
  OK(vtemper_model_get(model, "lambda", before, 8));
  vtemper_optimizer* optimizer = optimizer_of(model, data, options_of("max_iterations", "3", NULL));
  vtemper_report report = {.struct_size = sizeof report};
  assert_int_equal(vtemper_optimizer_run(optimizer, &report), VTEMPER_ERROR_NUMERIC);
  OK(vtemper_model_get(model, "lambda", after, 8));
  assert_memory_equal(before, after, sizeof before);
  OK(vtemper_optimizer_report(optimizer, &report));
  assert_int_equal(report.iteration, 0);
  vtemper_optimizer_destroy(optimizer);
  vtemper_options_destroy(options);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

static void sizes_without_memory_are_refused(void** state) {
  (void)state;
  const double value = 1;
  vtemper_data* data = NULL;
  REFUSED(VTEMPER_ERROR_ARGUMENT, "share memory",
          vtemper_data_from_dense(INT64_MAX / 8, 0, &value, VTEMPER_DOUBLE, 0, 1, VTEMPER_COPY, NULL, NULL, &data));
  REFUSED(
      VTEMPER_ERROR_ARGUMENT, "share memory",
      vtemper_data_from_dense(INT64_MAX / 64, 1, &value, VTEMPER_DOUBLE, 0, 1, VTEMPER_BORROW, NULL, NULL, &data));
  REFUSED(
      VTEMPER_ERROR_ARGUMENT, "share memory",
      vtemper_data_from_dense(1, INT64_MAX / 64, &value, VTEMPER_DOUBLE, 1, 0, VTEMPER_BORROW, NULL, NULL, &data));

  char path[] = "/tmp/vtemper-sizes-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  FILE* stream = fdopen(file, "wb");
  char header[118];
  memset(header, ' ', sizeof header);
  const char* shape = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 0), }";
  memcpy(header, shape, strlen(shape));
  header[117] = '\n';
  const unsigned char start[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, sizeof header, 0};
  fwrite(start, 1, sizeof start, stream);
  fwrite(header, 1, sizeof header, stream);
  fclose(stream);
  REFUSED(VTEMPER_ERROR_FORMAT, "rows of no values", vtemper_data_read(path, "npy", &data));
  const unsigned char idx[12] = {0, 0, 8, 2, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0};
  stream = fopen(path, "wb");
  fwrite(idx, 1, sizeof idx, stream);
  fclose(stream);
  REFUSED(VTEMPER_ERROR_FORMAT, "rows of no values", vtemper_data_read(path, "idx", &data));
  remove(path);
  assert_null(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(huge_counts_are_told),
      cmocka_unit_test(coherence_of_tiny_weights_is_told),
      cmocka_unit_test(steps_beyond_the_numbers_are_not_taken),
      cmocka_unit_test(sizes_without_memory_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
