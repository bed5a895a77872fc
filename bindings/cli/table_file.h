#pragma once
/* Tables with names of columns, for scripts and spreadsheets: CSV (RFC 4180), TSV or JSON, by the ending of the path
 * or by --as. */

#include <stdbool.h>
#include <stdint.h>

#include "command.h"
#include "output_file.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TableFormat { TABLE_NONE, TABLE_CSV, TABLE_TSV, TABLE_JSON } TableFormat;

/** The options --as and --header; their table ends with a NULL name. */
extern const Flag table_flags[];

/** The format that --as or the ending of `path` (may be NULL) names; TABLE_NONE where neither does. Ends with
 *  EXIT_USAGE where --as names none. */
TableFormat table_format(const Arguments* arguments, const char* path);

/** A table being written cell by cell. */
typedef struct TableFile {
  OutputFile output;
  FILE* stream; /**< of the output, or stdout */
  TableFormat format;
  char** columns;
  int64_t column_count, column_room, column; /**< the next cell's */
  int64_t rows;
} TableFile;

/** An empty table; columns are added before it is opened. */
TableFile table_start(TableFormat format);
/** One more column, of that name or of that name and a number: "topic_3". */
void table_column(TableFile* table, const char* name);
void table_numbered_column(TableFile* table, const char* name, int64_t number);

/** Opens the file (NULL: stdout) and writes the head. */
void table_open(TableFile* table, const char* path);
/** The next cell; rows end with their last column. */
void table_text(TableFile* table, const char* text);
void table_real(TableFile* table, double value);
void table_integer(TableFile* table, int64_t value);
/** Ends the table and frees what it holds. */
void table_close(TableFile* table);

#ifdef __cplusplus
}
#endif
