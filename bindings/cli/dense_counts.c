#include "dense_counts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "corpus.h"
#include "data_lists.h"
#include "failure.h"
#include "numbers.h"
#include "outside_text.h"

/* Counts by rows, as the library borrows them. */
typedef struct Entries {
  int64_t* offsets; /* [rows + 1] */
  int32_t* columns;
  double* counts;
  int64_t length, capacity;
} Entries;

static void release(void* user) {
  Entries* entries = user;
  free(entries->offsets);
  free(entries->columns);
  free(entries->counts);
  free(entries);
}

static void append(Entries* entries, int64_t column, double count) {
  if (entries->length == entries->capacity) {
    entries->capacity = entries->capacity > 0 ? 2 * entries->capacity : 1024;
    entries->columns = reallocate(entries->columns, (size_t)entries->capacity, sizeof *entries->columns);
    entries->counts = reallocate(entries->counts, (size_t)entries->capacity, sizeof *entries->counts);
  }
  entries->columns[entries->length] = (int32_t)column;
  entries->counts[entries->length++] = count;
}

static void require_count(const vtemper_data* data, const char* path, const char* kind, int64_t row, int64_t column,
                          double value) {
  if (value >= 0 && value == floor(value)) return;
  char number[NUMBER_LENGTH];
  const char* name;
  check(vtemper_data_name(data, column, &name));
  char* place = *name ? text_of("%" PRId64 " (%s)", column, name) : text_of("%" PRId64, column);
  fail("%s holds dense rows, and %s needs counts: whole numbers from 0; row %" PRId64 ", column %s %s %s", path, kind,
       row, place, isnan(value) ? "is" : "holds", isnan(value) ? "missing" : format_real(number, value));
}

static Entries* entries_of(const vtemper_data* data, const char* path, const char* kind) {
  const int64_t rows = corpus_rows(data), columns = corpus_columns(data);
  Entries* entries = allocate(1, sizeof *entries);
  *entries = (Entries){.offsets = allocate((size_t)rows + 1, sizeof *entries->offsets)};
  double* values = allocate((size_t)columns, sizeof *values);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t length;
    entries->offsets[row] = entries->length;
    check(vtemper_data_row(data, row, NULL, values, columns, &length));
    for (int64_t column = 0; column < length; ++column) {
      require_count(data, path, kind, row, column, values[column]);
      if (values[column] > 0) append(entries, column, values[column]);
    }
  }
  entries->offsets[rows] = entries->length;
  free(values);
  return entries;
}

static void copy_names(const vtemper_data* from, vtemper_data* to) {
  const char** names = column_names(from);
  if (names) check(vtemper_data_set_names(to, names, corpus_columns(from)));
  free(names);
}

static void copy_weights(const vtemper_data* from, vtemper_data* to) {
  double* weights = row_weights(from);
  if (weights) check(vtemper_data_set_weights(to, weights, corpus_rows(from)));
  free(weights);
}

static void copy_texts(const vtemper_data* from, vtemper_data* to) {
  int32_t count;
  check(vtemper_data_row_field_count(from, &count));
  for (int32_t i = 0; i < count; ++i) {
    const char* field;
    check(vtemper_data_row_field_name(from, i, &field));
    const char** texts = row_texts(from, field);
    check(vtemper_data_set_row_texts(to, field, texts, corpus_rows(from)));
    free(texts);
  }
  check(vtemper_data_note_count(from, &count));
  for (int32_t i = 0; i < count; ++i) {
    const char *name, *text;
    check(vtemper_data_note_name(from, i, &name));
    check(vtemper_data_note(from, name, &text));
    check(vtemper_data_set_note(to, name, text));
  }
}

vtemper_data* counts_of_dense(vtemper_data* data, const char* path, const char* kind, bool quiet) {
  Entries* entries = entries_of(data, path, kind);
  vtemper_data* counts;
  check(vtemper_data_from_counts(VTEMPER_BY_ROWS, corpus_rows(data), corpus_columns(data), entries->offsets,
                                 VTEMPER_INT64, entries->columns, VTEMPER_INT32, entries->counts, VTEMPER_DOUBLE, 0,
                                 VTEMPER_BORROW, release, entries, &counts));
  copy_names(data, counts);
  copy_weights(data, counts);
  copy_texts(data, counts);
  vtemper_data_destroy(data);
  if (!quiet) outside_printf(stderr, "%s: the dense rows are whole numbers and are read as counts\n", path);
  return counts;
}
