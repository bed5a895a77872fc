#include "corpus.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dense_counts.h"
#include "failure.h"
#include "library_file.h"
#include "numbers.h"
#include "outside_text.h"
#include "unreadable_file.h"
#include "vocabulary.h"

void require_path(const char* path) {
  if (!*path) fail("a file cannot be opened: its path is empty");
}

vtemper_data* corpus_slice(const vtemper_data* data, int64_t first, int64_t count) {
  vtemper_data* slice;
  check(vtemper_data_slice(data, first, count, &slice));
  return slice;
}

int64_t corpus_rows(const vtemper_data* data) {
  int64_t rows;
  check(vtemper_data_rows(data, &rows));
  return rows;
}

int64_t corpus_all_rows(const vtemper_data* data) {
  int64_t first, rows;
  check(vtemper_data_part(data, &first, &rows));
  return rows;
}

int64_t corpus_columns(const vtemper_data* data) {
  int64_t columns;
  check(vtemper_data_columns(data, &columns));
  return columns;
}

bool data_has_names(const vtemper_data* data) {
  const char* name = "";
  if (corpus_columns(data) > 0) check(vtemper_data_name(data, 0, &name));
  return *name != '\0';
}

double corpus_total(const vtemper_data* data) {
  double total;
  check(vtemper_data_total(data, &total));
  return total;
}

int64_t model_columns(const vtemper_model* model) {
  int64_t columns;
  check(vtemper_model_columns(model, &columns));
  return columns;
}

vtemper_model* model_read(const char* path) {
  vtemper_model* model;
  check(vtemper_model_load(path, &model));
  return model;
}

/* The data with the first reference names, padded with empty columns to the length of the reference. */
static vtemper_data* widen(vtemper_data* data, const char* const* names, int64_t count, double* unknown_tokens) {
  check(vtemper_data_set_names(data, names, corpus_columns(data)));
  if (corpus_columns(data) == count) return data;
  vtemper_data* wide;
  check(vtemper_data_align(data, names, count, unknown_tokens, &wide));
  vtemper_data_destroy(data);
  return wide;
}

/* What the model needs; without a model counts, since only they can be made from text. */
static vtemper_data_form needed_form = VTEMPER_COUNTS;
static char* needing_kind = NULL;
static bool is_quiet = false;

void corpus_needed_by(const char* kind, bool quiet) {
  check(vtemper_model_kind_form(kind, &needed_form));
  free(needing_kind);
  needing_kind = text_of("%s", kind); /* the model may be gone when data are read */
  is_quiet = quiet;
}

void require_counts_from_text(void) {
  if (!needing_kind || needed_form == VTEMPER_COUNTS) return;
  if (needed_form == VTEMPER_SEQUENCES) {
    fail_usage("--text counts words, %s needs sequences: --format word_sequences reads one of words in each line",
               needing_kind);
  }
  fail_usage("--text counts words, %s needs dense rows", needing_kind);
}

/* The data as the model needs them: dense rows that hold counts become counts. */
static vtemper_data* as_needed(vtemper_data* data, const char* path) {
  vtemper_data_form form;
  check(vtemper_data_form_of(data, &form));
  if (!needing_kind || needed_form != VTEMPER_COUNTS || form != VTEMPER_DENSE) return data;
  return counts_of_dense(data, path, needing_kind, is_quiet);
}

void corpus_convert(const char* path, const char* format, const char* vocabulary, const char* out_path) {
  Vocabulary names = {NULL, 0};
  if (vocabulary) names = vocabulary_read(vocabulary);
  const vtemper_status status =
      convert_data_file(path, format, (const char* const*)names.names, names.count, out_path);
  vocabulary_free(&names);
  if (status != VTEMPER_OK && !format) refuse_unreadable(path, status, needed_form);
  check(status);
}

vtemper_data* corpus_with_vocabulary(vtemper_data* data, const char* path, const char* vocabulary) {
  if (!vocabulary) return data;
  Vocabulary names = vocabulary_read(vocabulary);
  if (names.count < corpus_columns(data)) {
    const int64_t columns = corpus_columns(data);
    fail("%s names %" PRId64 " %s but %s has %" PRId64 " %s", vocabulary, names.count,
         plural(names.count == 1, "word", "words"), path, columns, plural(columns == 1, "column", "columns"));
  }
  double unknown_tokens;
  vtemper_data_form form;
  check(vtemper_data_form_of(data, &form));
  if (form == VTEMPER_SEQUENCES && data_has_names(data)) { /* words, numbered as they occur */
    vtemper_data* ordered;
    check(vtemper_data_align(data, (const char* const*)names.names, names.count, &unknown_tokens, &ordered));
    vtemper_data_destroy(data);
    data = ordered;
  } else {
    data = widen(data, (const char* const*)names.names, names.count, &unknown_tokens);
  }
  vocabulary_free(&names);
  return data;
}

vtemper_data* corpus_read(const char* path, const char* format, const char* vocabulary) {
  vtemper_data* data;
  const vtemper_status status = vtemper_data_read(path, format, &data);
  if (status != VTEMPER_OK && !format) refuse_unreadable(path, status, needed_form);
  check(status);
  return corpus_with_vocabulary(as_needed(data, path), path, vocabulary);
}

vtemper_data* corpus_read_part(const char* path, const char* format, const char* vocabulary, int part, int parts) {
  vtemper_data* data;
  const vtemper_status status = vtemper_data_read_part(path, format, part, parts, &data);
  if (status == VTEMPER_ERROR_UNSUPPORTED) return NULL;
  if (status != VTEMPER_OK && !format) refuse_unreadable(path, status, needed_form);
  check(status);
  char* name = text_of("%s, part %d of %d", path, part + 1, parts);
  data = as_needed(data, name);
  free(name);
  return corpus_with_vocabulary(data, path, vocabulary);
}

static const char* data_name(const vtemper_data* data, int64_t column) {
  const char* name;
  check(vtemper_data_name(data, column, &name));
  return name;
}

static const char* model_name(const vtemper_model* model, int64_t column) {
  const char* name;
  check(vtemper_model_name(model, column, &name));
  return name;
}

static int same_names(const vtemper_data* data, const vtemper_model* model, int64_t columns) {
  for (int64_t j = 0; j < columns; ++j) {
    if (strcmp(data_name(data, j), model_name(model, j)) != 0) return 0;
  }
  return 1;
}

void require_same_numbering(const vtemper_data* data, const vtemper_model* model) {
  const char *of_data, *of_model;
  check(vtemper_data_note(data, COLUMNS_NOTE, &of_data));
  check(vtemper_model_note(model, COLUMNS_NOTE, &of_model));
  if (*of_data == '\0' || *of_model == '\0' || strcmp(of_data, of_model) == 0) return;
  fail(
      "the columns of the data are numbered from %s, those that the model was fitted to from %s; where a file does "
      "not have the first column, only --format svmlight0 or svmlight1 tells from which number it counts",
      of_data, of_model);
}

vtemper_data* corpus_for_model(vtemper_data* data, const vtemper_model* model, double* unknown_tokens) {
  *unknown_tokens = 0;
  require_same_numbering(data, model);
  vtemper_data_form form;
  check(vtemper_data_form_of(data, &form));
  const int64_t columns = corpus_columns(data), wanted = model_columns(model);
  if (form == VTEMPER_DENSE || columns == 0 || wanted == 0) return data; /* dense columns are not words: unchanged */
  const int data_named = *data_name(data, 0) != '\0', model_named = *model_name(model, 0) != '\0';
  const int by_name = data_named && model_named;
  if (by_name && columns == wanted && same_names(data, model, columns)) return data;
  if (!by_name && columns >= wanted) return data; /* too many columns: the library reports it */
  char** names = allocate((size_t)wanted, sizeof *names);
  for (int64_t j = 0; j < wanted; ++j) {
    names[j] = model_named ? text_of("%s", model_name(model, j)) : text_of("column %" PRId64, j);
  }
  if (by_name) {
    vtemper_data* aligned;
    check(vtemper_data_align(data, (const char* const*)names, wanted, unknown_tokens, &aligned));
    vtemper_data_destroy(data);
    data = aligned;
  } else {
    data = widen(data, (const char* const*)names, wanted, unknown_tokens);
  }
  for (int64_t j = 0; j < wanted; ++j) free(names[j]);
  free(names);
  return data;
}

void report_unknown_tokens(const char* path, double unknown_tokens, const vtemper_data* aligned) {
  if (!(unknown_tokens > 0)) return;
  char dropped[NUMBER_LENGTH];
  outside_printf(stderr, "%s: %s %s (%.1f %%) of words that the model does not know %s left out.\n", path,
                 format_count(dropped, (int64_t)unknown_tokens), plural(unknown_tokens == 1, "token", "tokens"),
                 100 * unknown_tokens / (unknown_tokens + corpus_total(aligned)),
                 plural(unknown_tokens == 1, "is", "are"));
}
