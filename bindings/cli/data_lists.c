#include "data_lists.h"

#include <stdlib.h>

#include "corpus.h"
#include "failure.h"

const char** column_names(const vtemper_data* data) {
  if (!data_has_names(data)) return NULL;
  const int64_t columns = corpus_columns(data);
  const char** names = allocate((size_t)columns, sizeof *names);
  for (int64_t j = 0; j < columns; ++j) check(vtemper_data_name(data, j, &names[j]));
  return names;
}

double* row_weights(const vtemper_data* data) {
  const int64_t rows = corpus_rows(data);
  double* weights = allocate((size_t)rows, sizeof *weights);
  check(vtemper_data_weights(data, weights, rows));
  int64_t ones = 0;
  while (ones < rows && weights[ones] == 1) ++ones;
  if (ones < rows) return weights;
  free(weights);
  return NULL;
}

const char** row_texts(const vtemper_data* data, const char* field) {
  const int64_t rows = corpus_rows(data);
  const char** texts = allocate((size_t)rows, sizeof *texts);
  for (int64_t row = 0; row < rows; ++row) check(vtemper_data_row_text(data, field, row, &texts[row]));
  return texts;
}
