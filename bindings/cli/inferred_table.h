#pragma once
/* Inferred quantities of rows as a table with column names. */

#include <vtemper/vtemper.h>

#include "table_file.h"

/** A table of one inferred quantity. */
typedef struct InferredTable {
  TableFile table;
  const vtemper_data* data; /**< all rows */
  bool by_symbol;           /**< one table row per symbol of a sequence */
  int64_t columns;
} InferredTable;

/** Opens the table.
 *  @param quantity  with the shape for all rows
 *  @param labelled  append topic labels to topic numbers; exits if the columns are not topics */
InferredTable inferred_open(const vtemper_model* model, const vtemper_data* data, const vtemper_quantity* quantity,
                            TableFormat format, const char* path, bool labelled);
/** Writes the values of `count` rows of the data from `first`. */
void inferred_write(InferredTable* inferred, const double* values, int64_t first, int64_t count);

/** What the columns of this model's arrays are: "topic", "component", "state" or "unit". */
const char* column_kind(const vtemper_model* model);
