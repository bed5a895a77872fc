/* A small corpus, short calls, and comparisons for the tests of the C interface. */
#ifndef VTEMPER_TESTS_FIXTURES_H
#define VTEMPER_TESTS_FIXTURES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <vtemper/vtemper.h>

/** The call succeeds. */
#define OK(call)                                                                           \
  do {                                                                                     \
    const vtemper_status ok_status = (call);                                               \
    if (ok_status != VTEMPER_OK) {                                                         \
      fail_msg("%s: %s: %s", #call, vtemper_status_name(ok_status), vtemper_last_error()); \
    }                                                                                      \
  } while (0)

/** The call fails with this status and a message that contains `word`. */
#define REFUSED(expected, word, call)                                                                 \
  do {                                                                                                \
    const vtemper_status refused_status = (call);                                                     \
    if (refused_status != (expected) || strstr(vtemper_last_error(), (word)) == NULL) {               \
      fail_msg("%s: expected %s with '%s', got %s: %s", #call, vtemper_status_name(expected), (word), \
               vtemper_status_name(refused_status), vtemper_last_error());                            \
    }                                                                                                 \
  } while (0)

enum { corpus_rows = 60, corpus_columns = 40, corpus_topics = 4, corpus_entries_limit = 60 * 12 };

/** Documents of up to 12 distinct words, most of them of one of four themes; rows 7 and 31 are empty. */
typedef struct corpus {
  int64_t entries;
  int64_t offsets[corpus_rows + 1];
  int32_t indices[corpus_entries_limit];
  double values[corpus_entries_limit];
} corpus;

static inline uint32_t corpus_random(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

static inline corpus corpus_make(void) {
  corpus made;
  uint32_t state = 20240229u;
  memset(&made, 0, sizeof made);
  for (int64_t row = 0; row < corpus_rows; ++row) {
    double counts[corpus_columns] = {0};
    const uint32_t theme = corpus_random(&state) % corpus_topics;
    const int64_t words = row == 7 || row == 31 ? 0 : 4 + (int64_t)(corpus_random(&state) % 8);
    for (int64_t i = 0; i < words; ++i) {
      const uint32_t any = corpus_random(&state) % corpus_columns, of_theme = corpus_random(&state) % 10;
      counts[i % 5 == 4 ? any : theme * 10 + of_theme] += 1 + (double)(corpus_random(&state) % 4);
    }
    made.offsets[row] = made.entries;
    for (int32_t column = 0; column < corpus_columns; ++column) {
      if (counts[column] == 0) continue;
      made.indices[made.entries] = column;
      made.values[made.entries] = counts[column];
      ++made.entries;
    }
  }
  made.offsets[corpus_rows] = made.entries;
  return made;
}

/** Rows [first, last) of the corpus. */
static inline vtemper_data* corpus_slice(int64_t first, int64_t last) {
  const corpus whole = corpus_make();
  int64_t offsets[corpus_rows + 1];
  vtemper_data* data = NULL;
  for (int64_t row = first; row <= last; ++row) offsets[row - first] = whole.offsets[row] - whole.offsets[first];
  OK(vtemper_data_from_counts(
      VTEMPER_BY_ROWS, last - first, corpus_columns, offsets, VTEMPER_INT64, whole.indices + whole.offsets[first],
      VTEMPER_INT32, whole.values + whole.offsets[first], VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &data));
  return data;
}

static inline vtemper_data* corpus_data(void) {
  return corpus_slice(0, corpus_rows);
}

/** Options from alternating names and values, up to a NULL. */
static inline vtemper_options* options_of(const char* name, ...) {
  vtemper_options* options = NULL;
  va_list rest;
  OK(vtemper_options_create(&options));
  va_start(rest, name);
  while (name != NULL) {
    OK(vtemper_options_set(options, name, va_arg(rest, const char*)));
    name = va_arg(rest, const char*);
  }
  va_end(rest);
  return options;
}

/** An lda with 4 topics in double precision; destroys the options, which may be NULL. */
static inline vtemper_model* lda_of(vtemper_options* options) {
  vtemper_model* model = NULL;
  if (options == NULL) options = options_of("topics", "4", "precision", "double", NULL);
  OK(vtemper_model_create("lda", options, &model));
  vtemper_options_destroy(options);
  return model;
}

/** An optimizer; destroys the options. */
static inline vtemper_optimizer* optimizer_of(vtemper_model* model, const vtemper_data* data,
                                              vtemper_options* options) {
  vtemper_optimizer* optimizer = NULL;
  OK(vtemper_optimizer_create(model, data, options, &optimizer));
  vtemper_options_destroy(options);
  return optimizer;
}

/** An optimizer of a fresh model, with its own reference to it. */
static inline vtemper_optimizer* fit_of(const vtemper_data* data, vtemper_options* options) {
  vtemper_model* model = lda_of(NULL);
  vtemper_optimizer* optimizer = optimizer_of(model, data, options);
  vtemper_model_destroy(model);
  return optimizer;
}

/** A whole parameter, to be freed by the caller. */
static inline double* parameter_of(const vtemper_model* model, const char* name, int64_t* length) {
  int32_t count = 0;
  OK(vtemper_model_parameter_count(model, &count));
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity info = {.struct_size = sizeof info};
    OK(vtemper_model_parameter_info(model, i, &info));
    if (strcmp(info.name, name) == 0) {
      double* values;
      *length = 1;
      for (int32_t d = 0; d < info.rank; ++d) *length *= info.shape[d];
      values = malloc((size_t)*length * sizeof *values);
      assert_non_null(values);
      OK(vtemper_model_get(model, name, values, *length));
      return values;
    }
  }
  fail_msg("no parameter named %s", name);
  return NULL;
}

/** The lambda [4 x 40] of an optimizer's model. */
typedef struct topics {
  double lambda[corpus_topics * corpus_columns];
} topics;

static inline topics model_topics(const vtemper_model* model) {
  topics read;
  OK(vtemper_model_get(model, "lambda", read.lambda, corpus_topics * corpus_columns));
  return read;
}

static inline topics optimizer_topics(const vtemper_optimizer* optimizer) {
  vtemper_model* model = NULL;
  topics read;
  OK(vtemper_optimizer_model(optimizer, &model));
  read = model_topics(model);
  vtemper_model_destroy(model);
  return read;
}

static inline void assert_same_bits(const topics* a, const topics* b) {
  assert_memory_equal(a, b, sizeof *a);
}

/** The whole of a saved optimizer, to be freed by the caller. */
static inline char* checkpoint_of(const vtemper_optimizer* optimizer, int64_t* size) {
  char* bytes;
  OK(vtemper_optimizer_save_buffer(optimizer, NULL, 0, size));
  bytes = malloc((size_t)*size);
  assert_non_null(bytes);
  OK(vtemper_optimizer_save_buffer(optimizer, bytes, *size, size));
  return bytes;
}

static inline char* model_bytes_of(const vtemper_model* model, int64_t* size) {
  char* bytes;
  OK(vtemper_model_save_buffer(model, NULL, 0, size));
  bytes = malloc((size_t)*size);
  assert_non_null(bytes);
  OK(vtemper_model_save_buffer(model, bytes, *size, size));
  return bytes;
}

static inline vtemper_report report_of(const vtemper_optimizer* optimizer) {
  vtemper_report report = {.struct_size = sizeof report};
  OK(vtemper_optimizer_report(optimizer, &report));
  return report;
}

#endif
