#pragma once
/* Tables with column names, for scripts and spreadsheets: CSV (RFC 4180), TSV or JSON, chosen by file extension or
 * --as. */

#include <stdbool.h>
#include <stdint.h>

#include "command.h"
#include "output_file.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TableFormat { TABLE_NONE, TABLE_CSV, TABLE_TSV, TABLE_JSON } TableFormat;

/** The options --as and --header; terminated by a NULL name. */
extern const Flag table_flags[];

/** The format given by --as or the extension of `path` (may be NULL); TABLE_NONE if neither. Exits with EXIT_USAGE if
 *  --as is unknown. */
TableFormat table_format(const Arguments* arguments, const char* path);

/** A table being written cell by cell. */
typedef struct TableFile {
  OutputFile output;
  FILE* stream;    /**< of the output file, or stdout */
  int is_terminal; /**< text from outside is sanitised */
  TableFormat format;
  char** columns;
  int64_t column_count, column_room, column; /**< column: that of the next cell */
  int64_t rows;
} TableFile;

/** An empty table; columns are added before it is opened. */
TableFile table_start(TableFormat format);
/** Adds a column with that name, or with that name and a number: "topic_3". */
void table_column(TableFile* table, const char* name);
void table_numbered_column(TableFile* table, const char* name, int64_t number);

/** Opens the file (NULL: stdout) and writes the header. */
void table_open(TableFile* table, const char* path);
/** Writes the next cell; a row ends with its last column. */
void table_text(TableFile* table, const char* text);
void table_real(TableFile* table, double value);
void table_integer(TableFile* table, int64_t value);
/** Ends the table and frees its memory. */
void table_close(TableFile* table);

#ifdef __cplusplus
}
#endif
