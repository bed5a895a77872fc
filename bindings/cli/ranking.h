#pragma once
/* Rows ranked by a score, and code shared by the commands that print them. */

#include <stdbool.h>
#include <stdint.h>

#include "command.h"
#include "table_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A row and its score. */
typedef struct Ranked {
  int64_t row;
  double score;
} Ranked;

typedef enum RankOrder { LARGEST_FIRST, SMALLEST_FIRST } RankOrder;

/** Sorts by score; ties keep the order of the rows. */
void rank_rows(Ranked* rows, int64_t count, RankOrder order);

/** The options --output, --format, --quiet and --help; terminated by a NULL name. */
extern const Flag result_flags[];

/** The format of the results: that of --output, --as or --header; TABLE_NONE for human-readable lines. Exits with
 *  EXIT_USAGE if --output has no known format, and early if that file cannot be written. */
TableFormat result_format(const Arguments* arguments);

#ifdef __cplusplus
}
#endif
