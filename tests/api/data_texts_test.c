/* Texts of rows and notes of data: they stay with their rows, and come back from files. */
#include <unistd.h>

#include "fixtures.h"

static void set_names(vtemper_data* data, const char* field, const char* format) {
  char texts[corpus_rows][32];
  const char* pointers[corpus_rows];
  for (int row = 0; row < corpus_rows; ++row) {
    snprintf(texts[row], sizeof texts[row], "%s %d", format, row);
    pointers[row] = texts[row];
  }
  OK(vtemper_data_set_row_texts(data, field, pointers, corpus_rows));
}

static const char* text_of(const vtemper_data* data, const char* field, int64_t row) {
  const char* text = NULL;
  OK(vtemper_data_row_text(data, field, row, &text));
  return text;
}

static const char* note_of(const vtemper_data* data, const char* name) {
  const char* text = NULL;
  OK(vtemper_data_note(data, name, &text));
  return text;
}

static vtemper_data* named_data(void) {
  vtemper_data* data = corpus_data();
  set_names(data, "name", "\xc3\xa9t\xc3\xa9");
  set_names(data, "date", "day");
  OK(vtemper_data_set_note(data, "text.recipe", "{\"language\": \"fr\"}"));
  return data;
}

static void assert_texts(const vtemper_data* data, int64_t row, int original) {
  char name[32], date[32];
  snprintf(name, sizeof name, "\xc3\xa9t\xc3\xa9 %d", original);
  snprintf(date, sizeof date, "day %d", original);
  assert_string_equal(text_of(data, "name", row), name);
  assert_string_equal(text_of(data, "date", row), date);
  assert_string_equal(note_of(data, "text.recipe"), "{\"language\": \"fr\"}");
}

/* Selections, splits and alignment keep the texts of their rows. */
static void test_rows_keep_texts(void** state) {
  (void)state;
  vtemper_data *data = named_data(), *selected, *first, *second, *observed, *heldout, *aligned;
  const int64_t rows[] = {5, 0, 5};
  OK(vtemper_data_select(data, rows, 3, &selected));
  for (int i = 0; i < 3; ++i) assert_texts(selected, i, (int)rows[i]);
  OK(vtemper_data_split(data, 0.25, 3, &first, &second));
  int64_t first_rows, second_rows;
  OK(vtemper_data_rows(first, &first_rows));
  OK(vtemper_data_rows(second, &second_rows));
  int64_t in_first = 0, in_second = 0;
  for (int row = 0; row < corpus_rows; ++row) { /* every text is in one of them, in order */
    const char* name = text_of(data, "name", row);
    if (in_first < first_rows && strcmp(text_of(first, "name", in_first), name) == 0) {
      assert_texts(first, in_first++, row);
    } else {
      assert_texts(second, in_second++, row);
    }
  }
  assert_int_equal(in_second, second_rows);
  OK(vtemper_data_split_counts(data, 0.5, 3, &observed, &heldout));
  assert_texts(observed, 9, 9);
  assert_texts(heldout, 59, 59);
  char texts[corpus_columns][8];
  const char* names[corpus_columns];
  for (int j = 0; j < corpus_columns; ++j) {
    snprintf(texts[j], sizeof texts[j], "w%d", j);
    names[j] = texts[j];
  }
  OK(vtemper_data_set_names(data, names, corpus_columns));
  OK(vtemper_data_align(data, names, 7, NULL, &aligned));
  assert_texts(aligned, 31, 31);
  vtemper_data* const all[] = {data, selected, first, second, observed, heldout, aligned};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) vtemper_data_destroy(all[i]);
}

/* They are read back from a file, also after the handle that wrote it is destroyed; fields and notes are listed. */
static void test_file(void** state) {
  (void)state;
  char path[] = "/tmp/vtemper-texts-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  vtemper_data *data = named_data(), *read = NULL, *selected = NULL;
  char long_note[3001];
  memset(long_note, 'n', sizeof long_note - 1);
  long_note[sizeof long_note - 1] = '\0';
  OK(vtemper_data_set_note(data, "long", long_note));
  OK(vtemper_data_write(data, path));
  vtemper_data_destroy(data);
  OK(vtemper_data_read(path, NULL, &read));
  OK(vtemper_data_verify(read));
  for (int row = 0; row < corpus_rows; ++row) assert_texts(read, row, row);
  assert_string_equal(note_of(read, "long"), long_note);
  int32_t count = 0;
  const char* name;
  OK(vtemper_data_row_field_count(read, &count));
  assert_int_equal(count, 2);
  OK(vtemper_data_row_field_name(read, 0, &name));
  assert_string_equal(name, "date");
  OK(vtemper_data_row_field_name(read, 1, &name));
  assert_string_equal(name, "name");
  OK(vtemper_data_note_count(read, &count));
  assert_int_equal(count, 2);
  OK(vtemper_data_note_name(read, 1, &name));
  assert_string_equal(name, "text.recipe");
  const int64_t row = 44;
  OK(vtemper_data_select(read, &row, 1, &selected));
  vtemper_data_destroy(read);
  assert_texts(selected, 0, 44);
  vtemper_data_destroy(selected);
  assert_int_equal(unlink(path), 0);
}

/* Replaced, removed, and what is refused. */
static void test_rules(void** state) {
  (void)state;
  vtemper_data* data = named_data();
  const char *texts[corpus_rows], *text = "left alone";
  for (int row = 0; row < corpus_rows; ++row) texts[row] = "";
  OK(vtemper_data_set_row_texts(data, "date", texts, corpus_rows));
  assert_string_equal(text_of(data, "date", 3), "");
  assert_string_equal(text_of(data, "name", 3), "\xc3\xa9t\xc3\xa9 3");
  OK(vtemper_data_set_row_texts(data, "name", NULL, 0));
  assert_string_equal(text_of(data, "name", 3), "");
  OK(vtemper_data_set_note(data, "text.recipe", NULL));
  assert_string_equal(note_of(data, "text.recipe"), "");
  assert_string_equal(note_of(data, "none"), "");

  texts[7] = "\xff";
  REFUSED(VTEMPER_ERROR_DATA, "name of row 7", vtemper_data_set_row_texts(data, "name", texts, corpus_rows));
  texts[7] = NULL;
  REFUSED(VTEMPER_ERROR_ARGUMENT, "texts[7]", vtemper_data_set_row_texts(data, "name", texts, corpus_rows));
  texts[7] = "";
  REFUSED(VTEMPER_ERROR_ARGUMENT, "59", vtemper_data_set_row_texts(data, "name", texts, corpus_rows - 1));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "Name", vtemper_data_set_row_texts(data, "Name", texts, corpus_rows));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "field", vtemper_data_set_row_texts(data, NULL, texts, corpus_rows));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "data", vtemper_data_set_row_texts(NULL, "name", texts, corpus_rows));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "row", vtemper_data_row_text(data, "name", corpus_rows, &text));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "row", vtemper_data_row_text(data, "name", -1, &text));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "text", vtemper_data_row_text(data, "name", 0, NULL));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "index", vtemper_data_row_field_name(data, 1, &text));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "index", vtemper_data_note_name(data, 0, &text));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "name", vtemper_data_set_note(data, "", "x"));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "text", vtemper_data_set_note(data, "x", "\xff"));
  assert_string_equal(text, "left alone");
  vtemper_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows_keep_texts),
      cmocka_unit_test(test_file),
      cmocka_unit_test(test_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
