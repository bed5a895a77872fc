#pragma once
/* Arrays for scripts: CSV on stdout (comma-separated, no header, full precision) or a NumPy .npy. */

#include <stdbool.h>
#include <stdint.h>

#include "command.h"
#include "output_file.h"

/** An array being written row by row. */
typedef struct ArrayFile {
  OutputFile output;
  FILE* stream; /**< of the output file, or stdout */
  bool npy;
  int64_t columns;
} ArrayFile;

/** Exits with EXIT_USAGE unless `path`, where an array is to be written, is NULL or ends with .csv or .npy, or if the
 * arguments ask for names (--header, --labels) in an .npy file; and early if the file cannot be written. */
void array_check(const Arguments* arguments, const char* path);

/** Opens an array.
 *  @param path   NULL for CSV on stdout
 *  @param shape  [rank] sizes; rank 0 (one number), 1 or 2 */
void array_open(ArrayFile* file, const char* path, int rank, const int64_t* shape);

/** Writes the next values, row-major. Arrays of rank 0 and 1 have one number per line. */
void array_write(ArrayFile* file, const double* values, int64_t rows);

void array_close(ArrayFile* file);
