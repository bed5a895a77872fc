#include "transpose.h"

#include <cinttypes>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "corpus.h"
#include "data_lists.h"
#include "failure.h"
#include "ranks.h"
#include "row_labels.h"

namespace {

vtemper_data* transposed_counts(const vtemper_data* data) {
  const int64_t rows = corpus_rows(data), columns = corpus_columns(data);
  int64_t entries;
  check(vtemper_data_entries(data, &entries));
  std::vector<int64_t> offsets = {0}, indices(static_cast<size_t>(entries) + 1);  // the library takes no NULL
  std::vector<double> counts(indices.size());
  for (int64_t row = 0, length; row < rows; ++row) {
    const int64_t first = offsets.back();
    check(vtemper_data_row(data, row, indices.data() + first, counts.data() + first, entries - first, &length));
    offsets.push_back(first + length);
  }
  vtemper_data* result;  // the compressed rows are the compressed columns of the transpose
  check(vtemper_data_from_counts(VTEMPER_BY_COLUMNS, columns, rows, offsets.data(), VTEMPER_INT64, indices.data(),
                                 VTEMPER_INT64, counts.data(), VTEMPER_DOUBLE, 0, VTEMPER_COPY, nullptr, nullptr,
                                 &result));
  return result;
}

vtemper_data* transposed_dense(const vtemper_data* data) {
  const int64_t rows = corpus_rows(data), columns = corpus_columns(data);
  const size_t row_size = static_cast<size_t>(columns) * sizeof(double);
  auto* const values = static_cast<double*>(allocate(static_cast<size_t>(rows), row_size));
  for (int64_t row = 0, length; row < rows; ++row) {
    check(vtemper_data_row(data, row, nullptr, values + row * columns, columns, &length));
  }
  vtemper_data* result;
  check(vtemper_data_from_dense(columns, rows, values, VTEMPER_DOUBLE, 1, columns, VTEMPER_BORROW, free, values,
                                &result));
  return result;
}

void refuse_weights(const vtemper_data* data, const char* path) {
  const double* const weights = row_weights(data);
  if (weights == nullptr) return;
  int64_t row = 0;
  while (weights[row] == 1) ++row;
  fail("%s: row %" PRId64 " has a weight, which columns have not, so --transpose is not for these data", path, row);
}

/// Row text "name" names the columns of the result.
void name_columns(const vtemper_data* data, const char* path, vtemper_data* result) {
  if (!row_labels(data).has_names) return;
  std::unordered_map<std::string_view, int64_t> rows;
  const char** const names = row_texts(data, "name");
  for (int64_t row = 0; row < corpus_rows(data); ++row) {
    const char* const name = names[row];
    if (*name == '\0') fail("%s: row %" PRId64 " has no name, but with --transpose it becomes a column", path, row);
    const auto [earlier, is_new] = rows.emplace(name, row);
    if (!is_new) {
      fail("%s: rows %" PRId64 " and %" PRId64
           " are both named \"%s\", but with --transpose they become columns, whose names must differ: add up the "
           "rows, or rename one",
           path, earlier->second, row, name);
    }
  }
  check(vtemper_data_set_names(result, names, corpus_rows(data)));
  free(names);
}

/// The names of the columns become row text "name".
void name_rows(const vtemper_data* data, vtemper_data* result) {
  const char** const names = column_names(data);
  if (names != nullptr) check(vtemper_data_set_row_texts(result, "name", names, corpus_columns(data)));
  free(names);
}

vtemper_data* transposed(vtemper_data* data, const char* path) {
  vtemper_data_form form;
  check(vtemper_data_form_of(data, &form));
  if (form == VTEMPER_SEQUENCES) fail("%s holds sequences, whose rows and columns --transpose cannot exchange", path);
  if (corpus_rows(data) == 0) fail("%s has no rows, of which --transpose could make columns", path);
  refuse_weights(data, path);
  vtemper_data* const result = form == VTEMPER_COUNTS ? transposed_counts(data) : transposed_dense(data);
  name_columns(data, path, result);
  name_rows(data, result);
  vtemper_data_destroy(data);
  return result;
}

}  // namespace

vtemper_data* read_transposed(const char* path, const char* format, const char* vocabulary) {
  return corpus_with_vocabulary(transposed(corpus_read(path, format, nullptr), path), path, vocabulary);
}

vtemper_data* read_as_asked(const Arguments* arguments, const char* path, const char* vocabulary) {
  const char* const format = argument(arguments, "format");
  if (argument(arguments, "transpose") != nullptr) return read_transposed(path, format, vocabulary);
  return corpus_read(path, format, vocabulary);
}

vtemper_data* divide_as_asked(const Arguments* arguments, const char* path, const char* vocabulary) {
  const char* const format = argument(arguments, "format");
  if (argument(arguments, "transpose") == nullptr) return ranks_read(path, format, vocabulary);
  if (rank_count() > 1) {
    fail_usage("what --transpose turns is not divided over ranks: convert it by vtemper convert --transpose");
  }
  return read_transposed(path, format, vocabulary);
}
