/* The same counts in every layout, index type, value type, index base and ownership give the same bits. */
#include "fixtures.h"

/** The corpus, compressed by rows or by columns, as integers and reals of every width. */
typedef struct arrays {
  int64_t outer;
  int64_t entries;
  int64_t offsets8[corpus_rows + 1], indices8[corpus_entries_limit], values8[corpus_entries_limit];
  int32_t offsets4[corpus_rows + 1], indices4[corpus_entries_limit], values4[corpus_entries_limit];
  float valuesf[corpus_entries_limit];
  double values[corpus_entries_limit];
} arrays;

static void complete(arrays* made, int64_t base) {
  for (int64_t i = 0; i <= made->outer; ++i) {
    made->offsets8[i] += base;
    made->offsets4[i] = (int32_t)made->offsets8[i];
  }
  for (int64_t i = 0; i < made->entries; ++i) {
    made->indices8[i] += base;
    made->indices4[i] = (int32_t)made->indices8[i];
    made->values8[i] = (int64_t)made->values[i];
    made->values4[i] = (int32_t)made->values[i];
    made->valuesf[i] = (float)made->values[i];
  }
}

static void by_rows(arrays* made, int64_t base) {
  const corpus whole = corpus_make();
  memset(made, 0, sizeof *made);
  made->outer = corpus_rows;
  made->entries = whole.entries;
  for (int64_t i = 0; i <= corpus_rows; ++i) made->offsets8[i] = whole.offsets[i];
  for (int64_t i = 0; i < whole.entries; ++i) {
    made->indices8[i] = whole.indices[i];
    made->values[i] = whole.values[i];
  }
  complete(made, base);
}

static void by_columns(arrays* made, int64_t base) {
  const corpus whole = corpus_make();
  memset(made, 0, sizeof *made);
  made->outer = corpus_columns;
  for (int32_t column = 0; column < corpus_columns; ++column) {
    made->offsets8[column] = made->entries;
    for (int64_t row = 0; row < corpus_rows; ++row) {
      for (int64_t i = whole.offsets[row]; i < whole.offsets[row + 1]; ++i) {
        if (whole.indices[i] != column) continue;
        made->indices8[made->entries] = row;
        made->values[made->entries] = whole.values[i];
        ++made->entries;
      }
    }
  }
  made->offsets8[corpus_columns] = made->entries;
  complete(made, base);
}

static topics fitted(vtemper_data* data) {
  vtemper_optimizer* optimizer = fit_of(data, options_of("method", "svi", "batch_size", "16", "seed", "5", NULL));
  OK(vtemper_optimizer_step(optimizer, 6, NULL));
  const topics result = optimizer_topics(optimizer);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
  return result;
}

static void test_all(void** state) {
  (void)state;
  const topics expected = fitted(corpus_data());
  arrays* made = malloc(sizeof *made);
  for (int layout = VTEMPER_BY_ROWS; layout <= VTEMPER_BY_COLUMNS; ++layout) {
    for (int64_t base = 0; base <= 1; ++base) {
      if (layout == VTEMPER_BY_ROWS) {
        by_rows(made, base);
      } else {
        by_columns(made, base);
      }
      for (int combination = 0; combination < 2 * 2 * 4 * 2; ++combination) {
        const int wide_offsets = combination % 2, wide_indices = combination / 2 % 2, type = combination / 4 % 4;
        const vtemper_ownership ownership = combination / 16 == 0 ? VTEMPER_COPY : VTEMPER_BORROW;
        const void* values[] = {made->values4, made->values8, made->valuesf, made->values};
        const vtemper_element types[] = {VTEMPER_INT32, VTEMPER_INT64, VTEMPER_FLOAT, VTEMPER_DOUBLE};
        vtemper_data* data = NULL;
        OK(vtemper_data_from_counts((vtemper_layout)layout, corpus_rows, corpus_columns,
                                    wide_offsets ? (const void*)made->offsets8 : (const void*)made->offsets4,
                                    wide_offsets ? VTEMPER_INT64 : VTEMPER_INT32,
                                    wide_indices ? (const void*)made->indices8 : (const void*)made->indices4,
                                    wide_indices ? VTEMPER_INT64 : VTEMPER_INT32, values[type], types[type], base,
                                    ownership, NULL, NULL, &data));
        const topics seen = fitted(data);
        assert_same_bits(&seen, &expected);
      }
    }
  }
  free(made);
}

/* Stored zeros do not count as entries. */
static void test_stored_zeros(void** state) {
  (void)state;
  const topics expected = fitted(corpus_data());
  const corpus whole = corpus_make();
  int64_t offsets[corpus_rows + 1] = {0}, entries = 0;
  int32_t* indices = calloc(corpus_rows * corpus_columns, sizeof *indices);
  double* values = calloc(corpus_rows * corpus_columns, sizeof *values);
  for (int64_t row = 0; row < corpus_rows; ++row) {
    for (int32_t column = 0; column < corpus_columns; ++column) indices[entries + column] = column;
    for (int64_t i = whole.offsets[row]; i < whole.offsets[row + 1]; ++i) {
      values[entries + whole.indices[i]] = whole.values[i];
    }
    entries += corpus_columns;
    offsets[row + 1] = entries;
  }
  vtemper_data* data = NULL;
  OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, corpus_rows, corpus_columns, offsets, VTEMPER_INT64, indices,
                              VTEMPER_INT32, values, VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &data));
  const topics seen = fitted(data);
  assert_same_bits(&seen, &expected);
  free(indices);
  free(values);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_stored_zeros)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
