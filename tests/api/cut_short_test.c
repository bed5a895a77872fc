/* Another process truncates a mapped file that was too large to be read when it was opened: whatever reads rows that
 * were not read before fails with IO, and the host lives. */
#include <unistd.h>

#include "fixtures.h"

enum { COLUMNS = 3, ROWS = 65 * 1024 * 1024 / 8 / COLUMNS };

/* The same row again and again. */
static vtemper_data* answers(int64_t rows) {
  static const double row[COLUMNS] = {1, 0, 1};
  vtemper_data* data = NULL;
  OK(vtemper_data_from_dense(rows, COLUMNS, row, VTEMPER_DOUBLE, 0, 1, VTEMPER_COPY, NULL, NULL, &data));
  return data;
}

/* A file too large to be read when it is opened. */
static void write_large(char* path) {
  vtemper_data* data = answers(ROWS);
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  OK(vtemper_data_write(data, path));
  vtemper_data_destroy(data);
}

static void every_reader_is_refused(void** state) {
  (void)state;
  char path[] = "/tmp/vtemper-cut-XXXXXX";
  const char* word = "truncated";
  vtemper_data *data = answers(20), *cut = NULL, *first = NULL, *second = NULL;
  vtemper_model* model = NULL;
  vtemper_optimizer* optimizer = NULL;
  double* out = malloc(sizeof(double) * ROWS);
  double values[COLUMNS], score = 0;
  int64_t columns[COLUMNS];
  const int64_t last = ROWS - 1;
  int64_t length = 0;
  assert_non_null(out);
  write_large(path);
  OK(vtemper_model_create("bernoulli_mixture", NULL, &model));
  OK(vtemper_model_initialize(model, data, 1));
  OK(vtemper_data_read(path, "mapped", &cut));
  assert_int_equal(truncate(path, 4096), 0);
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_model_infer(model, cut, "log_density", NULL, out, ROWS));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_model_evaluate(model, cut, NULL, "predictive", NULL, &score));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_optimizer_create(model, cut, NULL, &optimizer));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_data_row(cut, last, columns, values, COLUMNS, &length));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_data_select(cut, &last, 1, &first));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_data_split(cut, 0.5, 1, &first, &second));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_data_total(cut, &score));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_data_verify(cut));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_data_write(cut, path));
  free(out);
  vtemper_data_destroy(cut);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_reader_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
