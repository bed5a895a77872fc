/* Another process truncates a mapped file that was too large to be copied when it was opened: whatever reads its rows
 * fails with IO, and the host lives. */
#include <unistd.h>

#include "fixtures.h"

enum { ROWS = 20, COLUMNS = 3, TOO_LARGE_TO_BE_COPIED = 65 << 20 };

static vtemper_data* answers(void) {
  double values[ROWS * COLUMNS];
  vtemper_data* data = NULL;
  for (int i = 0; i < ROWS * COLUMNS; ++i) values[i] = i % 7 < 3 ? 1 : 0;
  OK(vtemper_data_from_dense(ROWS, COLUMNS, values, VTEMPER_DOUBLE, COLUMNS, 1, VTEMPER_COPY, NULL, NULL, &data));
  return data;
}

/* A file with the rows and a note that makes it large. */
static void write_large(char* path) {
  vtemper_data* data = answers();
  char* note = malloc(TOO_LARGE_TO_BE_COPIED + 1);
  assert_non_null(note);
  memset(note, 'x', TOO_LARGE_TO_BE_COPIED);
  note[TOO_LARGE_TO_BE_COPIED] = '\0';
  OK(vtemper_data_set_note(data, "much", note));
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  OK(vtemper_data_write(data, path));
  free(note);
  vtemper_data_destroy(data);
}

static void every_reader_is_refused(void** state) {
  (void)state;
  char path[] = "/tmp/vtemper-cut-XXXXXX";
  const char* word = "truncated";
  vtemper_data *data = answers(), *cut = NULL, *first = NULL, *second = NULL;
  vtemper_model* model = NULL;
  vtemper_optimizer* optimizer = NULL;
  vtemper_quantity info = {.struct_size = sizeof info};
  double out[ROWS * COLUMNS], score = 0;
  const int64_t row = 0;
  int64_t length = 0;
  int32_t count = 0;
  write_large(path);
  OK(vtemper_model_create("bernoulli_mixture", NULL, &model));
  OK(vtemper_model_initialize(model, data, 1));
  OK(vtemper_data_read(path, "mapped", &cut));
  assert_int_equal(truncate(path, 4096), 0);
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_model_infer_count(model, cut, &count));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_model_infer_info(model, cut, 0, &info));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_model_infer(model, cut, "log_density", NULL, out, ROWS));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_model_evaluate(model, cut, NULL, "predictive", NULL, &score));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_optimizer_create(model, cut, NULL, &optimizer));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_data_row(cut, 0, NULL, NULL, 0, &length));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_data_select(cut, &row, 1, &first));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_data_slice(cut, 0, 1, &first));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_data_split(cut, 0.5, 1, &first, &second));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_data_verify(cut));
  REFUSED(VTEMPER_ERROR_IO, word, vtemper_data_write(cut, path));
  vtemper_data_destroy(cut);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_reader_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
