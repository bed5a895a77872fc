#include "oddities.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "corpus.h"
#include "failure.h"
#include "numbers.h"
#include "outside_text.h"

/* Fewer rows or columns may hold consecutive numbers by chance. */
enum { FEWEST_ROWS = 5, FEWEST_COLUMNS = 3 };

/* Fewer rows may have one value by chance. */
enum { FEWEST_CROWDED = 20 };

/* One row, dense or counts. */
typedef struct Row {
  int64_t* columns; /* of the values; NULL for a dense row */
  double* values;
  int64_t length, capacity;
} Row;

static void read_row(Row* row, const vtemper_data* data, int64_t number) {
  check(vtemper_data_row(data, number, row->columns, row->values, row->capacity, &row->length));
}

static double value_of(const Row* row, int64_t column) {
  if (!row->columns) return row->values[column];
  for (int64_t i = 0; i < row->length; ++i) {
    if (row->columns[i] == column) return row->values[i];
  }
  return 0;
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

static bool is_without_value(const Row* row) {
  for (int64_t i = 0; i < row->length; ++i) {
    if (!isnan(row->values[i])) return false;
  }
  return true;
}

/* Rows of which every value is missing. */
static void report_rows_without_value(const char* path, const vtemper_data* data, Row* row) {
  const int64_t rows = corpus_rows(data);
  int64_t count = 0, first = 0;
  for (int64_t number = 0; number < rows; ++number) {
    read_row(row, data, number);
    if (!is_without_value(row)) continue;
    if (count++ == 0) first = number;
  }
  if (count == 0) return;
  const bool one = count == 1;
  outside_printf(stderr,
                 "%s: %" PRId64 " of %s%" PRId64 " %s %s no value, %s is row %" PRId64
                 "; a mixture is fitted without %s, and a mean score counts %s as 0 (--quiet hides this)\n",
                 path, count, corpus_all_rows(data) > rows ? "the first " : "", rows,
                 plural(rows == 1, "row", "rows"), plural(one, "has", "have"), plural(one, "it", "the first"), first,
                 plural(one, "it", "them"), plural(one, "it", "each"));
}

/* Whether a value is the whole number that is `steps` above the first. */
static bool follows(double value, double first, int64_t steps) {
  return value == floor(value) && value == first + (double)steps;
}

/* Whether the first column holds consecutive numbers. */
static bool numbers_rows(const vtemper_data* data, Row* row) {
  const int64_t rows = corpus_rows(data);
  double first = 0;
  for (int64_t number = 0; number < rows; ++number) {
    read_row(row, data, number);
    const double value = value_of(row, 0);
    if (number == 0) first = value;
    if (!follows(value, first, number)) return false;
  }
  return rows >= FEWEST_ROWS;
}

static bool is_consecutive(const Row* row) {
  const double first = value_of(row, 0);
  for (int64_t column = 0; column < row->capacity; ++column) {
    if (!follows(value_of(row, column), first, column)) return false;
  }
  return true;
}

/* Whether the first row holds consecutive numbers, and the second one does not. */
static bool numbers_columns(const vtemper_data* data, Row* row) {
  if (data_has_names(data) || row->capacity < FEWEST_COLUMNS || corpus_rows(data) < FEWEST_ROWS) return false;
  read_row(row, data, 0);
  if (!is_consecutive(row)) return false;
  read_row(row, data, 1);
  return !is_consecutive(row);
}

static void report_numbers(const char* path, const char* place, const char* what) {
  outside_printf(
      stderr,
      "%s: %s holds consecutive numbers and counts as data; remove it if it numbers the %s (--quiet hides this)\n",
      path, place, what);
}

static void report_rows(const char* path, const vtemper_data* data, bool is_dense) {
  const int64_t columns = corpus_columns(data); /* a row has at most one count per column */
  if (columns == 0) return;
  Row row = {.columns = is_dense ? NULL : allocate((size_t)columns, sizeof *row.columns),
             .values = allocate((size_t)columns, sizeof *row.values),
             .capacity = columns};
  if (!is_dense && has_fraction(data, &row)) {
    outside_printf(
        stderr,
        "%s: the counts include fractions, as tf-idf does, but the model is for word counts (--quiet hides this)\n",
        path);
  }
  if (is_dense) report_rows_without_value(path, data, &row);
  if (columns > 1 && numbers_rows(data, &row)) {
    const char* name;
    check(vtemper_data_name(data, 0, &name));
    char* place = *name ? text_of("column 0 (%s)", name) : text_of("column 0");
    report_numbers(path, place, "rows");
    free(place);
  }
  if (numbers_columns(data, &row)) report_numbers(path, "row 0", "columns");
  free(row.columns);
  free(row.values);
}

/* A share of the rows with one value from which a column is reported. */
static const double crowded_share = 0.9;

/* For each column the value that more than half of the rows have, if there is one (Boyer and Moore's vote). */
static int64_t* vote(const vtemper_data* data, Row* row, double* values) {
  int64_t* votes = allocate((size_t)row->capacity, sizeof *votes);
  for (int64_t column = 0; column < row->capacity; ++column) votes[column] = 0;
  for (int64_t number = 0; number < corpus_rows(data); ++number) {
    read_row(row, data, number);
    for (int64_t column = 0; column < row->capacity; ++column) {
      if (votes[column] == 0) values[column] = row->values[column];
      votes[column] += row->values[column] == values[column] ? 1 : -1;
    }
  }
  return votes;
}

void report_crowded_columns(const char* path, const vtemper_data* data) {
  vtemper_data_form form;
  check(vtemper_data_form_of(data, &form));
  const int64_t columns = corpus_columns(data), rows = corpus_rows(data);
  if (form != VTEMPER_DENSE || columns == 0 || rows < FEWEST_CROWDED) return;
  Row row = {.values = allocate((size_t)columns, sizeof *row.values), .capacity = columns};
  double* values = allocate((size_t)columns, sizeof *values);
  int64_t* counts = vote(data, &row, values);
  const double least = crowded_share * (double)rows;
  bool some = false;
  for (int64_t column = 0; column < columns; ++column) {
    /* The votes of others count against a value. */
    some = some || (double)counts[column] >= 2 * least - (double)rows;
    counts[column] = 0;
  }
  for (int64_t number = 0; some && number < rows; ++number) {
    read_row(&row, data, number);
    for (int64_t column = 0; column < columns; ++column) counts[column] += row.values[column] == values[column];
  }
  int64_t crowded = 0, first = 0;
  for (int64_t column = columns - 1; column >= 0; --column) {
    if ((double)counts[column] < least) continue;
    ++crowded;
    first = column;
  }
  if (crowded > 0) {
    const char* name;
    char value[NUMBER_LENGTH];
    check(vtemper_data_name(data, first, &name));
    outside_printf(
        stderr,
        "%s: %" PRId64 " of %" PRId64 " %s %s one value in %g %% of the rows or more, %s is column %" PRId64
        "%s%s%s (%s in %.4g %%); there a Gaussian density has no upper limit, and components gather rows "
        "for it alone: leave such columns out (--quiet hides this)\n",
        path, crowded, columns, plural(columns == 1, "column", "columns"), plural(crowded == 1, "has", "have"),
        100 * crowded_share, plural(crowded == 1, "it", "the first"), first, *name ? " \"" : "", name,
        *name ? "\"" : "", format_real(value, values[first]), 100 * (double)counts[first] / (double)rows);
  }
  free(counts);
  free(values);
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
