#include "oddities.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "corpus.h"
#include "failure.h"
#include "outside_text.h"

/* Fewer rows may hold consecutive numbers by chance. */
enum { FEWEST_NUMBERED = 5 };

/* One row, dense or counts. */
typedef struct Row {
  int64_t* columns;
  double* values;
  int64_t length, capacity;
  bool is_dense;
} Row;

static void read_row(Row* row, const vtemper_data* data, int64_t number) {
  check(
      vtemper_data_row(data, number, row->is_dense ? NULL : row->columns, row->values, row->capacity, &row->length));
}

static bool has_fraction(const vtemper_data* data, Row* row) {
  for (int64_t number = 0; number < corpus_rows(data); ++number) {
    read_row(row, data, number);
    for (int64_t i = 0; i < row->length; ++i) {
      if (row->values[i] != floor(row->values[i])) return true;
    }
  }
  return false;
}

/* The value of the first column. */
static double first_value(const Row* row) {
  if (row->is_dense) return row->values[0];
  for (int64_t i = 0; i < row->length; ++i) {
    if (row->columns[i] == 0) return row->values[i];
  }
  return 0;
}

static bool is_numbered(const vtemper_data* data, Row* row) {
  const int64_t rows = corpus_rows(data);
  double first = 0;
  for (int64_t number = 0; number < rows; ++number) {
    read_row(row, data, number);
    const double value = first_value(row);
    if (number == 0) first = value;
    if (value != floor(value) || value != first + (double)number) return false;
  }
  return rows >= FEWEST_NUMBERED;
}

static void report_numbers(const char* path, const vtemper_data* data) {
  const char* name;
  check(vtemper_data_name(data, 0, &name));
  char* place = *name ? text_of("column 0 (%s)", name) : text_of("column 0");
  outside_printf(
      stderr,
      "%s: %s holds consecutive numbers and counts as data; remove it if it numbers the rows (--quiet hides "
      "this)\n",
      path, place);
  free(place);
}

static void report_rows(const char* path, const vtemper_data* data, bool is_dense) {
  const int64_t columns = corpus_columns(data); /* a row has at most one count per column */
  if (columns == 0) return;
  Row row = {.columns = allocate((size_t)columns, sizeof *row.columns),
             .values = allocate((size_t)columns, sizeof *row.values),
             .capacity = columns,
             .is_dense = is_dense};
  if (!is_dense && has_fraction(data, &row)) {
    outside_printf(
        stderr,
        "%s: the counts include fractions, as tf-idf does, but the model is for word counts (--quiet hides this)\n",
        path);
  }
  if (columns > 1 && is_numbered(data, &row)) report_numbers(path, data);
  free(row.columns);
  free(row.values);
}

void report_oddities(const char* path, const vtemper_data* data) {
  vtemper_data_form form;
  check(vtemper_data_form_of(data, &form));
  if (form != VTEMPER_SEQUENCES) {
    report_rows(path, data, form == VTEMPER_DENSE);
  } else if (corpus_rows(data) > 1 && corpus_total(data) == (double)corpus_rows(data)) {
    outside_printf(stderr,
                   "%s: every sequence has one symbol; symbols are separated by blanks, and sed 's/./& /g' separates "
                   "letters (--quiet hides this)\n",
                   path);
  }
}
