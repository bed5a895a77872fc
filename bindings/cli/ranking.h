#pragma once
/* Rows by a score, and what the commands that show such rows have in common. */

#include <stdbool.h>
#include <stdint.h>

#include "command.h"
#include "table_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A row and what it is ranked by. */
typedef struct Ranked {
  int64_t row;
  double score;
} Ranked;

typedef enum RankOrder { LARGEST_FIRST, SMALLEST_FIRST } RankOrder;

/** Sorts by score; of equals the earlier row comes first. */
void rank_rows(Ranked* rows, int64_t count, RankOrder order);

/** The options --output, --format, --quiet and --help; their table ends with a NULL name. */
extern const Flag result_flags[];

/** The format of the results: that of --output, --as or --header; TABLE_NONE for lines that people read. Ends with
 *  EXIT_USAGE where --output has none, and early where that file cannot be written. */
TableFormat result_format(const Arguments* arguments);

#ifdef __cplusplus
}
#endif
