#include "fractions.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "corpus.h"
#include "failure.h"

static bool has_fraction(const double* counts, int64_t length) {
  for (int64_t i = 0; i < length; ++i) {
    if (counts[i] != floor(counts[i])) return true;
  }
  return false;
}

void report_fractions(const char* path, const vtemper_data* data) {
  vtemper_data_form form;
  check(vtemper_data_form_of(data, &form));
  const int64_t rows = corpus_rows(data), columns = corpus_columns(data);
  if (form != VTEMPER_COUNTS || columns == 0) return;
  double* counts = allocate((size_t)columns, sizeof *counts); /* a row has at most one count per column */
  bool found = false;
  for (int64_t row = 0; row < rows && !found; ++row) {
    int64_t length;
    check(vtemper_data_row(data, row, NULL, counts, columns, &length));
    found = has_fraction(counts, length);
  }
  free(counts);
  if (found) {
    fprintf(
        stderr,
        "%s: the counts include fractions, as tf-idf does, but the model is for word counts (--quiet hides this)\n",
        path);
  }
}
