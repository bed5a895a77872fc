#include "ranking.h"

#include <stdlib.h>

#include "failure.h"
#include "output_file.h"

const Flag result_flags[] = {
    {"output", 'o', "FILE", "ends with .csv, .tsv or .json; without it a table on stdout"},
    {"format", 0, "NAME", "of the data; recognised automatically"},
    {"transpose", 0, NULL, "exchanges rows and columns of the data, such as genes x cells, words x documents"},
    {"quiet", 'q', NULL, "no messages"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static int smallest_first(const void* a, const void* b) {
  const Ranked *left = a, *right = b;
  if (left->score != right->score) return left->score < right->score ? -1 : 1;
  return left->row < right->row ? -1 : left->row > right->row;
}

static int largest_first(const void* a, const void* b) {
  const Ranked *left = a, *right = b;
  if (left->score != right->score) return left->score < right->score ? 1 : -1;
  return left->row < right->row ? -1 : left->row > right->row;
}

void rank_rows(Ranked* rows, int64_t count, RankOrder order) {
  qsort(rows, (size_t)count, sizeof *rows, order == LARGEST_FIRST ? largest_first : smallest_first);
}

TableFormat result_format(const Arguments* arguments) {
  const char* path = argument(arguments, "output");
  TableFormat format = table_format(arguments, path);
  if (path && format == TABLE_NONE) {
    fail_usage("the name of the output must end with .csv, .tsv or .json, not \"%s\"", path);
  }
  if (format == TABLE_NONE && argument(arguments, "header")) format = TABLE_CSV;
  if (path) output_check(path, false);
  return format;
}
