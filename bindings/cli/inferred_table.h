#pragma once
/* What a model infers about rows, as a table with names. */

#include <vtemper/vtemper.h>

#include "table_file.h"

/** A table of one inferred quantity. */
typedef struct InferredTable {
  TableFile table;
  const vtemper_data* data; /**< of all rows */
  bool by_symbol;           /**< a row of the table for each symbol of a sequence */
  int64_t columns;
} InferredTable;

/** Opens the table.
 *  @param quantity  as all rows have it
 *  @param labelled  columns of topics have their labels behind their numbers; ends the command for other columns */
InferredTable inferred_open(const vtemper_model* model, const vtemper_data* data, const vtemper_quantity* quantity,
                            TableFormat format, const char* path, bool labelled);
/** Writes the values of `count` rows of the data from `first`. */
void inferred_write(InferredTable* inferred, const double* values, int64_t first, int64_t count);

/** What the columns of an array of this model are: "topic", "component", "state" or "unit". */
const char* column_kind(const vtemper_model* model);
