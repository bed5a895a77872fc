#pragma once
/* Names, dates and numbers of rows as the first cells of a table. */

#include <vtemper/vtemper.h>

#include "table_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is known of the rows of data. */
typedef struct RowLabels {
  const vtemper_data* data;
  bool has_names, has_dates;
} RowLabels;

RowLabels row_labels(const vtemper_data* data);
/** Columns "row", and "name" and "date" where the rows have them. */
void row_label_columns(TableFile* table, const RowLabels* labels);
/** The cells of a row, counted from 0. */
void row_label_cells(TableFile* table, const RowLabels* labels, int64_t row);
/** Text of a field of a row, "" where there is none. */
const char* row_text(const vtemper_data* data, const char* field, int64_t row);

#ifdef __cplusplus
}
#endif
