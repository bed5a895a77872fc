#include "inferred_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "failure.h"
#include "row_labels.h"
#include "topic_labels.h"

const char* column_kind(const vtemper_model* model) {
  const char* kind = vtemper_model_kind(model);
  if (strcmp(kind, "lda") == 0) return "topic";
  if (strcmp(kind, "hidden_markov") == 0) return "state";
  return strstr(kind, "mixture") ? "component" : "unit";
}

InferredTable inferred_open(const vtemper_model* model, const vtemper_data* data, const vtemper_quantity* quantity,
                            TableFormat format, const char* path, bool labelled) {
  InferredTable inferred = {.table = table_start(format), .data = data, .columns = quantity->shape[1]};
  vtemper_data_form form;
  check(vtemper_data_form_of(data, &form));
  inferred.by_symbol = form == VTEMPER_SEQUENCES && strcmp(quantity->name, "log_likelihood") != 0;
  const RowLabels labels = row_labels(data);
  row_label_columns(&inferred.table, &labels);
  if (inferred.by_symbol) table_column(&inferred.table, "position");
  const int by_column = strcmp(quantity->name, "reconstruction") == 0 || strcmp(quantity->name, "completed") == 0;
  TopicLabels topics = {NULL, 0};
  if (labelled) {
    if (strcmp(column_kind(model), "topic") != 0) fail("--labels needs a model whose columns are topics");
    topics = topic_labels(model, inferred.columns);
  }
  for (int64_t j = 0; j < inferred.columns; ++j) {
    const char* name = "";
    if (by_column) check(vtemper_data_name(data, j, &name));
    if (labelled) {
      char* text = text_of("%s_%" PRId64 " %s", column_kind(model), j, topics.labels[j]);
      table_column(&inferred.table, text);
      free(text);
    } else if (*name || quantity->rank < 2) {
      table_column(&inferred.table, *name ? name : quantity->name);
    } else {
      table_numbered_column(&inferred.table, by_column ? "column" : column_kind(model), j);
    }
  }
  topic_labels_free(&topics);
  table_open(&inferred.table, path);
  return inferred;
}

/* Number of table rows for a data row. */
static int64_t lines_of(const InferredTable* inferred, int64_t row) {
  if (!inferred->by_symbol) return 1;
  int64_t symbols;
  check(vtemper_data_row(inferred->data, row, NULL, NULL, 0, &symbols));
  return symbols;
}

void inferred_write(InferredTable* inferred, const double* values, int64_t first, int64_t count) {
  const RowLabels labels = row_labels(inferred->data);
  for (int64_t row = first; row < first + count; ++row) {
    const int64_t lines = lines_of(inferred, row);
    for (int64_t line = 0; line < lines; ++line) {
      row_label_cells(&inferred->table, &labels, row);
      if (inferred->by_symbol) table_integer(&inferred->table, line);
      for (int64_t j = 0; j < inferred->columns; ++j) table_real(&inferred->table, *values++);
    }
  }
}
