#pragma once
/* Results of a sweep: one row per number of topics, as a table, as CSV and as a picture. */

#include <stdint.h>
#include <stdio.h>

#include "table_file.h"

/** Measures of each fit. */
typedef enum SweepMeasure { SWEEP_PREDICTIVE, SWEEP_COHERENCE, SWEEP_DIVERSITY, SWEEP_SECONDS } SweepMeasure;
enum { SWEEP_MEASURES = 4 };

/** One number of topics: mean over its fits and, for more than one fit, their sample standard deviation. */
typedef struct SweepRow {
  int64_t topics;
  int64_t fits;
  double mean[SWEEP_MEASURES];
  double spread[SWEEP_MEASURES]; /**< NaN for one fit */
} SweepRow;

/** The row of fits with the given values [fits x SWEEP_MEASURES]. */
SweepRow sweep_row(int64_t topics, const double* values, int64_t fits);

/** The table's heading, one row, and a summary. */
void sweep_print_head(FILE* stream);
void sweep_print_row(FILE* stream, const SweepRow* row);
void sweep_print_best(FILE* stream, const SweepRow* rows, int count);

/** Files are replaced atomically; the table goes to stdout if `path` is NULL. */
void sweep_write_table(const char* path, TableFormat format, const SweepRow* rows, int count);
void sweep_write_picture(const char* path, const char* subtitle, const SweepRow* rows, int count);
