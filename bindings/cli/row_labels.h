#pragma once
/* Names, dates and numbers of rows as the first cells of a table. */

#include <vtemper/vtemper.h>

#include "table_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Labels available for the rows of data. */
typedef struct RowLabels {
  const vtemper_data* data;
  bool has_names, has_dates;
} RowLabels;

RowLabels row_labels(const vtemper_data* data);
/** Adds the columns "row" and, if available, "name" and "date". */
void row_label_columns(TableFile* table, const RowLabels* labels);
/** The cells of a row, numbered from 0. */
void row_label_cells(TableFile* table, const RowLabels* labels, int64_t row);
/** Text of a row's field, "" if there is none. */
const char* row_text(const vtemper_data* data, const char* field, int64_t row);

#ifdef __cplusplus
}
#endif
