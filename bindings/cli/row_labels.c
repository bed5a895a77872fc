#include "row_labels.h"

#include <string.h>

#include "failure.h"

RowLabels row_labels(const vtemper_data* data) {
  RowLabels labels = {.data = data};
  int32_t count;
  check(vtemper_data_row_field_count(data, &count));
  for (int32_t i = 0; i < count; ++i) {
    const char* field;
    check(vtemper_data_row_field_name(data, i, &field));
    labels.has_names = labels.has_names || strcmp(field, "name") == 0;
    labels.has_dates = labels.has_dates || strcmp(field, "date") == 0;
  }
  return labels;
}

void row_label_columns(TableFile* table, const RowLabels* labels) {
  table_column(table, "row");
  if (labels->has_names) table_column(table, "name");
  if (labels->has_dates) table_column(table, "date");
}

void row_label_cells(TableFile* table, const RowLabels* labels, int64_t row) {
  table_integer(table, row);
  if (labels->has_names) table_text(table, row_text(labels->data, "name", row));
  if (labels->has_dates) table_text(table, row_text(labels->data, "date", row));
}

const char* row_text(const vtemper_data* data, const char* field, int64_t row) {
  const char* text;
  check(vtemper_data_row_text(data, field, row, &text));
  return text;
}
