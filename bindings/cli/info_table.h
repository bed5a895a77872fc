#pragma once
/* Contents of a model or data file as a table with three columns: section, name, value. */

#include <vtemper/vtemper.h>

#include "table_file.h"

/** Writes the table to the file, or to stdout if `path` is NULL. */
void info_table_model(const vtemper_model* model, TableFormat format, const char* path);
void info_table_data(const vtemper_data* data, TableFormat format, const char* path);
