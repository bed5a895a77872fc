/* vtemper get: prints a parameter of a model. */

#include <stdlib.h>
#include <string.h>

#include "array_file.h"
#include "command.h"
#include "corpus.h"
#include "failure.h"
#include "inferred_table.h"
#include "library_options.h"
#include "model_data.h"
#include "nearest.h"

static const Flag flags[] = {
    {"output", 'o', "FILE", "ends with .csv, .tsv, .json or .npy; without it CSV on stdout"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const Flag* const shared_flags[] = {table_flags, NULL};

static vtemper_quantity find_parameter(const vtemper_model* model, const char* name) {
  vtemper_quantity info = {.struct_size = sizeof info};
  int32_t count;
  check(vtemper_model_parameter_count(model, &count));
  Nearest nearest = nearest_to(name);
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_model_parameter_info(model, i, &info));
    if (same_name(info.name, name)) return info;
    nearest_consider(&nearest, info.name);
  }
  char* known = text_of("%s", "");
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_model_parameter_info(model, i, &info));
    char* longer = text_of("%s%s%s", known, i > 0 ? ", " : "", info.name);
    free(known);
    known = longer;
  }
  if (nearest.best) {
    fail_usage("the model has no parameter \"%s\"; did you mean %s? It has %s", name, nearest.best, known);
  }
  fail_usage("the model has no parameter \"%s\"; it has %s", name, known);
}

/* The parameter with row numbers, and with the data's column names if their number matches. If it consists of one
 * matrix per component, the rows of the matrices are numbered as well. */
static void write_table(const vtemper_model* model, const vtemper_quantity* info, const double* values,
                        TableFormat format, const char* path) {
  TableFile table = table_start(format);
  const bool matrices = info->rank > 2;
  const int64_t parts = matrices ? info->shape[1] : 1, words = model_columns(model);
  const int64_t columns = matrices ? info->shape[2] * info->shape[3] : info->shape[1];
  if (info->rank > 0) table_column(&table, column_kind(model));
  if (matrices) table_column(&table, "row");
  for (int64_t j = 0; j < columns; ++j) {
    const char* name = "";
    if (info->rank >= 2 && columns == words) check(vtemper_model_name(model, j, &name));
    if (*name || info->rank < 2) {
      table_column(&table, *name ? name : info->name);
    } else {
      table_numbered_column(&table, columns == words ? "column" : column_kind(model), j);
    }
  }
  table_open(&table, path);
  for (int64_t i = 0; i < info->shape[0] * parts; ++i) {
    if (info->rank > 0) table_integer(&table, i / parts);
    if (matrices) table_integer(&table, i % parts);
    for (int64_t j = 0; j < columns; ++j) table_real(&table, values[i * columns + j]);
  }
  table_close(&table);
}

static int run(const Arguments* arguments) {
  const char* path = argument(arguments, "output");
  TableFormat format = table_format(arguments, path);
  if (format == TABLE_NONE) array_check(arguments, path);
  if (argument(arguments, "header") && format == TABLE_NONE) format = TABLE_CSV;
  if (path) output_check(path, false);
  vtemper_model* model = model_operand(arguments);
  const vtemper_quantity info = find_parameter(model, arguments->operands[1]);
  int64_t length = 1;
  for (int i = 0; i < 4; ++i) length *= info.shape[i];
  double* values = allocate((size_t)length, sizeof *values);
  check(vtemper_model_get(model, info.name, values, length));
  if (format == TABLE_NONE) {
    ArrayFile file;
    array_open(&file, path, info.rank, info.shape);
    array_write(&file, values, info.shape[0]);
    array_close(&file);
  } else {
    write_table(model, &info, values, format, path);
  }
  free(values);
  vtemper_model_destroy(model);
  return EXIT_DONE;
}

const Command get_command = {
    .name = "get",
    .usage = "MODEL PARAMETER [-o FILE.csv|.tsv|.json|.npy]",
    .description = "writes a parameter of a model",
    .notes =
        "vtemper info MODEL lists the parameters, such as topics, lambda and alpha. Without -o, --as and\n"
        "--header, stdout gets only numbers.",
    .min_operands = 2,
    .max_operands = 2,
    .flags = flags,
    .shared_flags = shared_flags,
    .run = run,
};
