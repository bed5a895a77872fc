/* Reading rows back: every form, layout and kind of ownership, and what is refused. */
#include <math.h>
#include <unistd.h>

#include "fixtures.h"

enum { ROOM = 64 };

/* Buffers for one row; elements that a call leaves alone stay -7. */
typedef struct row_read {
  int64_t length, columns[ROOM];
  double values[ROOM];
} row_read;

static row_read blank(void) {
  row_read read = {.length = -7};
  for (int i = 0; i < ROOM; ++i) {
    read.columns[i] = -7;
    read.values[i] = -7;
  }
  return read;
}

static row_read row_of(const vtemper_data* data, int64_t row) {
  row_read read = blank();
  OK(vtemper_data_row(data, row, read.columns, read.values, ROOM, &read.length));
  assert_in_range(read.length, 0, ROOM);
  for (int64_t i = read.length; i < ROOM; ++i) { /* not beyond the row */
    assert_int_equal(read.columns[i], -7);
    assert_true(read.values[i] == -7);
  }
  return read;
}

static void assert_corpus_row(const vtemper_data* data, int64_t row, int64_t original) {
  const corpus made = corpus_make();
  const row_read read = row_of(data, row);
  const int64_t first = made.offsets[original];
  assert_int_equal(read.length, made.offsets[original + 1] - first);
  for (int64_t i = 0; i < read.length; ++i) {
    assert_int_equal(read.columns[i], made.indices[first + i]);
    assert_true(read.values[i] == made.values[first + i]);
  }
}

static void write_and_read(vtemper_data** data, char* path) {
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  OK(vtemper_data_write(*data, path));
  vtemper_data_destroy(*data);
  OK(vtemper_data_read(path, "mapped", data));
}

/* Copied, selected, from a file. Rows 7 and 31 are empty. */
static void test_counts(void** state) {
  (void)state;
  char path[] = "/tmp/vtemper-row-XXXXXX";
  vtemper_data *data = corpus_data(), *selected = NULL;
  const int64_t rows[] = {5, 0, 5};
  for (int row = 0; row < corpus_rows; ++row) assert_corpus_row(data, row, row);
  assert_int_equal(row_of(data, 31).length, 0);
  OK(vtemper_data_select(data, rows, 3, &selected));
  for (int i = 0; i < 3; ++i) assert_corpus_row(selected, i, rows[i]);
  write_and_read(&data, path);
  for (int row = 0; row < corpus_rows; ++row) assert_corpus_row(data, row, row);
  vtemper_data_destroy(selected);
  vtemper_data_destroy(data);
  assert_int_equal(unlink(path), 0);
}

/* Small integers with indices from 1, borrowed; stored zeros; a long row; counts by columns. */
static void test_layouts(void** state) {
  (void)state;
  enum { LONG = 1000 };
  const int32_t offsets[] = {1, 4, 4, 5}, indices[] = {3, 1, 2, 4};
  const float values[] = {2, 0, 0.5F, 7};
  const int64_t starts[] = {0, 1, 2, 2}, rows[] = {1, 0}, counts[] = {4, 9};
  vtemper_data* data = NULL;
  OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, 3, 4, offsets, VTEMPER_INT32, indices, VTEMPER_INT32, values,
                              VTEMPER_FLOAT, 1, VTEMPER_BORROW, NULL, NULL, &data));
  row_read read = row_of(data, 0);
  assert_int_equal(read.length, 2);
  assert_true(read.columns[0] == 2 && read.values[0] == 2 && read.columns[1] == 1 && read.values[1] == 0.5);
  assert_int_equal(row_of(data, 1).length, 0);
  read = row_of(data, 2);
  assert_true(read.length == 1 && read.columns[0] == 3 && read.values[0] == 7);
  vtemper_data_destroy(data);

  OK(vtemper_data_from_counts(VTEMPER_BY_COLUMNS, 2, 3, starts, VTEMPER_INT64, rows, VTEMPER_INT64, counts,
                              VTEMPER_INT64, 0, VTEMPER_BORROW, NULL, NULL, &data));
  read = row_of(data, 0);
  assert_true(read.length == 1 && read.columns[0] == 1 && read.values[0] == 9);
  read = row_of(data, 1);
  assert_true(read.length == 1 && read.columns[0] == 0 && read.values[0] == 4);
  vtemper_data_destroy(data);

  static int64_t many[LONG], columns[LONG];
  static double ones[LONG], back[LONG];
  const int64_t ends[] = {0, LONG};
  int64_t length = 0;
  for (int i = 0; i < LONG; ++i) {
    many[i] = LONG - 1 - i;
    ones[i] = 1 + i;
  }
  OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, 1, LONG, ends, VTEMPER_INT64, many, VTEMPER_INT64, ones,
                              VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &data));
  OK(vtemper_data_row(data, 0, columns, back, LONG, &length));
  assert_int_equal(length, LONG);
  assert_memory_equal(columns, many, sizeof many);
  assert_memory_equal(back, ones, sizeof ones);
  vtemper_data_destroy(data);
}

/* Row-major, column-major and from a file; missing values stay missing. */
static void test_dense(void** state) {
  (void)state;
  const double values[] = {1, 2, NAN, 4, 5, -6};
  for (int by_columns = 0; by_columns < 2; ++by_columns) {
    char path[] = "/tmp/vtemper-row-XXXXXX";
    vtemper_data* data = NULL;
    OK(vtemper_data_from_dense(2, 3, values, VTEMPER_DOUBLE, by_columns ? 1 : 3, by_columns ? 2 : 1, VTEMPER_BORROW,
                               NULL, NULL, &data));
    for (int mapped = 0; mapped < 2; ++mapped) {
      for (int row = 0; row < 2; ++row) {
        const row_read read = row_of(data, row);
        assert_int_equal(read.length, 3);
        for (int j = 0; j < 3; ++j) {
          const double value = values[by_columns ? 2 * j + row : 3 * row + j];
          assert_int_equal(read.columns[j], j);
          assert_true(isnan(value) ? isnan(read.values[j]) : read.values[j] == value);
        }
      }
      if (!mapped) write_and_read(&data, path);
    }
    vtemper_data_destroy(data);
    assert_int_equal(unlink(path), 0);
  }
}

static void test_sequences(void** state) {
  (void)state;
  char path[] = "/tmp/vtemper-row-XXXXXX";
  const int64_t offsets[] = {0, 3, 3, 8}, symbols[] = {2, 0, 2, 1, 1, 0, 2, 1};
  vtemper_data* data = NULL;
  OK(vtemper_data_from_sequences(3, 3, offsets, VTEMPER_INT64, symbols, VTEMPER_INT64, 0, VTEMPER_BORROW, NULL, NULL,
                                 &data));
  for (int mapped = 0; mapped < 2; ++mapped) {
    for (int row = 0; row < 3; ++row) {
      const row_read read = row_of(data, row);
      assert_int_equal(read.length, offsets[row + 1] - offsets[row]);
      for (int64_t i = 0; i < read.length; ++i) {
        assert_int_equal(read.columns[i], symbols[offsets[row] + i]);
        assert_true(read.values[i] == 1);
      }
    }
    if (!mapped) write_and_read(&data, path);
  }
  vtemper_data_destroy(data);
  assert_int_equal(unlink(path), 0);
}

/* Only some outputs requested; what is refused; and a refusal writes nothing but the length that is needed. */
static void test_refused(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  const row_read whole = row_of(data, 3), untouched = blank();
  row_read read = blank();
  assert_true(whole.length > 1);
  OK(vtemper_data_row(data, 3, NULL, NULL, 0, &read.length));
  assert_int_equal(read.length, whole.length);
  OK(vtemper_data_row(data, 3, NULL, read.values, whole.length, &read.length));
  assert_memory_equal(read.values, whole.values, sizeof read.values);
  OK(vtemper_data_row(data, 3, read.columns, NULL, whole.length, &read.length));
  assert_memory_equal(read.columns, whole.columns, sizeof read.columns);

  read = blank();
  REFUSED(VTEMPER_ERROR_ARGUMENT, "capacity",
          vtemper_data_row(data, 3, read.columns, read.values, whole.length - 1, &read.length));
  assert_int_equal(read.length, whole.length);
  REFUSED(VTEMPER_ERROR_ARGUMENT, "capacity", vtemper_data_row(data, 3, NULL, read.values, -1, &read.length));
  read.length = untouched.length;
  REFUSED(VTEMPER_ERROR_ARGUMENT, "row", vtemper_data_row(data, -1, read.columns, read.values, ROOM, &read.length));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "row",
          vtemper_data_row(data, corpus_rows, read.columns, read.values, ROOM, &read.length));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "length", vtemper_data_row(data, 3, read.columns, read.values, ROOM, NULL));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "data", vtemper_data_row(NULL, 3, read.columns, read.values, ROOM, &read.length));
  assert_memory_equal(&read, &untouched, sizeof read);
  vtemper_data_destroy(data);
}

/* If borrowed arrays were changed, reading the invalid row is refused, also at its last entry, and nothing is
 * written. */
static void test_changed_arrays(void** state) {
  (void)state;
  const row_read untouched = blank();
  row_read read = blank();
  int64_t offsets[] = {0, 1, 3}, indices[] = {0, 1, 2};
  double values[] = {1, 2, 3};
  vtemper_data* data = NULL;
  OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, 2, 3, offsets, VTEMPER_INT64, indices, VTEMPER_INT64, values,
                              VTEMPER_DOUBLE, 0, VTEMPER_BORROW, NULL, NULL, &data));
  indices[2] = 99;
  assert_int_equal(row_of(data, 0).length, 1);
  REFUSED(VTEMPER_ERROR_DATA, "column 99", vtemper_data_row(data, 1, read.columns, read.values, ROOM, &read.length));
  indices[2] = 2;
  offsets[2] = INT64_MAX;
  REFUSED(VTEMPER_ERROR_DATA, "offsets", vtemper_data_row(data, 1, read.columns, read.values, ROOM, &read.length));
  vtemper_data_destroy(data);

  OK(vtemper_data_from_dense(1, 3, values, VTEMPER_DOUBLE, 3, 1, VTEMPER_BORROW, NULL, NULL, &data));
  values[2] = -INFINITY;
  REFUSED(VTEMPER_ERROR_DATA, "column 2", vtemper_data_row(data, 0, read.columns, read.values, ROOM, &read.length));
  double total = -7;
  REFUSED(VTEMPER_ERROR_DATA, "column 2", vtemper_data_total(data, &total));
  assert_true(total == -7);
  vtemper_data_destroy(data);
  assert_memory_equal(&read, &untouched, sizeof read);
}

/* Replaces a number in a file. */
static void overwrite(const char* path, const double* number, const double* by) {
  FILE* file = fopen(path, "r+b");
  assert_non_null(file);
  static char bytes[1 << 16];
  char wanted[sizeof *number];
  memcpy(wanted, number, sizeof wanted);
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  size_t at = 0;
  while (at + sizeof wanted <= size && memcmp(bytes + at, wanted, sizeof wanted) != 0) ++at;
  assert_true(at + sizeof wanted <= size);
  assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
  assert_int_equal(fwrite(by, sizeof *by, 1, file), 1);
  assert_int_equal(fclose(file), 0);
}

/* A count in a mapped file that became negative is detected when its row is read. */
static void test_damaged_file(void** state) {
  (void)state;
  char path[] = "/tmp/vtemper-row-XXXXXX";
  const int64_t offsets[] = {0, 1, 2}, indices[] = {0, 1};
  const double values[] = {0.1234567, 0.7654321}, bad = -1;
  const row_read untouched = blank();
  row_read read = blank();
  vtemper_data* data = NULL;
  OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, 2, 2, offsets, VTEMPER_INT64, indices, VTEMPER_INT64, values,
                              VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &data));
  write_and_read(&data, path);
  vtemper_data_destroy(data);
  overwrite(path, &values[1], &bad);
  OK(vtemper_data_read(path, "mapped", &data));
  assert_true(row_of(data, 0).values[0] == values[0]);
  REFUSED(VTEMPER_ERROR_FORMAT, "row 1", vtemper_data_row(data, 1, read.columns, read.values, ROOM, &read.length));
  assert_memory_equal(&read, &untouched, sizeof read);
  vtemper_data_destroy(data);
  assert_int_equal(unlink(path), 0);
}

/* Weights come back, of rows in memory, in a file and of a slice; without weights all are 1. */
static void test_weights(void** state) {
  (void)state;
  char path[] = "/tmp/vtemper-row-XXXXXX";
  const double values[] = {1, 2, 3}, weights[] = {0.1234567, 0, 2.5}, bad = -1;
  double read[3] = {-7, -7, -7};
  vtemper_data *data = NULL, *slice = NULL;
  OK(vtemper_data_from_dense(3, 1, values, VTEMPER_DOUBLE, 1, 1, VTEMPER_COPY, NULL, NULL, &data));
  OK(vtemper_data_weights(data, read, 3));
  for (int i = 0; i < 3; ++i) assert_true(read[i] == 1);
  OK(vtemper_data_set_weights(data, weights, 3));
  OK(vtemper_data_weights(data, read, 3));
  assert_memory_equal(read, weights, sizeof read);
  write_and_read(&data, path);
  memset(read, 0, sizeof read);
  OK(vtemper_data_weights(data, read, 3));
  assert_memory_equal(read, weights, sizeof read);
  OK(vtemper_data_slice(data, 1, 2, &slice));
  OK(vtemper_data_weights(slice, read, 2));
  assert_memory_equal(read, weights + 1, 2 * sizeof *read);
  vtemper_data_destroy(slice);
  vtemper_data_destroy(data);
  overwrite(path, weights, &bad);
  OK(vtemper_data_read(path, "mapped", &data));
  read[0] = read[1] = read[2] = -7;
  REFUSED(VTEMPER_ERROR_FORMAT, "row 0 has the weight -1", vtemper_data_weights(data, read, 3));
  for (int i = 0; i < 3; ++i) assert_true(read[i] == -7);
  vtemper_data_destroy(data);
  assert_int_equal(unlink(path), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),       cmocka_unit_test(test_layouts), cmocka_unit_test(test_dense),
      cmocka_unit_test(test_sequences),    cmocka_unit_test(test_refused), cmocka_unit_test(test_changed_arrays),
      cmocka_unit_test(test_damaged_file), cmocka_unit_test(test_weights),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
