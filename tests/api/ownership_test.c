/* Handles keep what they use alive, in every order of destruction; borrowed arrays are released exactly once. */
#include "fixtures.h"

/** Borrowed arrays that are poisoned and freed by their release hook. */
typedef struct borrowed {
  corpus* arrays;
  int released;
} borrowed;

static void release_arrays(void* user) {
  borrowed* owner = user;
  ++owner->released;
  memset(owner->arrays, 0x7f, sizeof *owner->arrays);
  free(owner->arrays);
  owner->arrays = NULL;
}

static borrowed borrow(void) {
  borrowed owner = {malloc(sizeof(corpus)), 0};
  assert_non_null(owner.arrays);
  *owner.arrays = corpus_make();
  return owner;
}

static vtemper_data* borrowing_data(borrowed* owner) {
  vtemper_data* data = NULL;
  OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, corpus_rows, corpus_columns, owner->arrays->offsets, VTEMPER_INT64,
                              owner->arrays->indices, VTEMPER_INT32, owner->arrays->values, VTEMPER_DOUBLE, 0,
                              VTEMPER_BORROW, release_arrays, owner, &data));
  assert_int_equal(owner->released, 0);
  return data;
}

static topics reference(void) {
  vtemper_data* data = corpus_data();
  vtemper_optimizer* optimizer = fit_of(data, options_of("method", "svi", "batch_size", "16", "seed", "5", NULL));
  OK(vtemper_optimizer_step(optimizer, 6, NULL));
  const topics result = optimizer_topics(optimizer);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
  return result;
}

/* Data, model and optimizer are destroyed in all six orders, each before steps that are still possible. */
static void test_all_orders(void** state) {
  (void)state;
  const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const topics expected = reference();
  for (int order = 0; order < 6; ++order) {
    borrowed owner = borrow();
    vtemper_data* data = borrowing_data(&owner);
    vtemper_model* model = lda_of(NULL);
    vtemper_optimizer* optimizer =
        optimizer_of(model, data, options_of("method", "svi", "batch_size", "16", "seed", "5", NULL));
    OK(vtemper_optimizer_step(optimizer, 2, NULL));
    int data_lives = 1, optimizer_lives = 1;
    for (int i = 0; i < 3; ++i) {
      if (orders[order][i] == 0) {
        vtemper_data_destroy(data);
        data_lives = 0;
      } else if (orders[order][i] == 1) {
        if (!optimizer_lives) {
          const topics seen = model_topics(model);
          assert_same_bits(&seen, &expected);
        }
        vtemper_model_destroy(model);
      } else {
        /* What the optimizer needs is alive, whatever was destroyed before. */
        assert_int_equal(owner.released, 0);
        OK(vtemper_optimizer_step(optimizer, 4, NULL));
        const topics seen = optimizer_topics(optimizer);
        assert_same_bits(&seen, &expected);
        vtemper_optimizer_destroy(optimizer);
        optimizer_lives = 0;
      }
      assert_int_equal(owner.released, !data_lives && !optimizer_lives);
    }
    assert_int_equal(owner.released, 1);
  }
}

static void test_models_of_an_optimizer(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_model *model = lda_of(NULL), *same = NULL, *copy = NULL;
  vtemper_optimizer* optimizer = optimizer_of(model, data, options_of("method", "vi", NULL));
  OK(vtemper_optimizer_model(optimizer, &same));
  OK(vtemper_model_copy(same, &copy));
  const topics before = model_topics(model);
  OK(vtemper_optimizer_step(optimizer, 1, NULL));
  topics seen = model_topics(model);
  const topics through_other = model_topics(same), of_copy = model_topics(copy);
  assert_same_bits(&seen, &through_other);
  assert_same_bits(&of_copy, &before);
  assert_memory_not_equal(&seen, &before, sizeof seen);
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  seen = model_topics(same);
  assert_same_bits(&seen, &through_other);
  vtemper_model_destroy(same);
  vtemper_model_destroy(copy);
  vtemper_data_destroy(data);
}

/* A model for other columns cannot be slipped under an optimizer. */
static void test_initialise_under_an_optimizer(void** state) {
  (void)state;
  vtemper_data *data = corpus_data(), *narrow = NULL;
  vtemper_model* model = lda_of(NULL);
  const int64_t offsets[2] = {0, 1};
  const int32_t indices[1] = {0};
  const double values[1] = {1};
  OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, 1, 3, offsets, VTEMPER_INT64, indices, VTEMPER_INT32, values,
                              VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &narrow));
  vtemper_optimizer* optimizer = optimizer_of(model, data, options_of("method", "vi", NULL));
  REFUSED(VTEMPER_ERROR_STATE, "3 columns", vtemper_model_initialize(model, narrow, 1));
  OK(vtemper_model_initialize(model, data, 1));
  OK(vtemper_optimizer_step(optimizer, 1, NULL));
  REFUSED(VTEMPER_ERROR_DATA, "3", vtemper_optimizer_feed(optimizer, narrow, NULL));
  vtemper_optimizer_destroy(optimizer);
  OK(vtemper_model_initialize(model, narrow, 1));
  int64_t columns;
  OK(vtemper_model_columns(model, &columns));
  assert_int_equal(columns, 3);
  double score;
  REFUSED(VTEMPER_ERROR_DATA, "40", vtemper_model_evaluate(model, data, NULL, "elbo", NULL, &score));
  vtemper_model_destroy(model);
  vtemper_data_destroy(narrow);
  vtemper_data_destroy(data);
}

static void test_copies_are_free_at_once(void** state) {
  (void)state;
  const topics expected = reference();
  corpus* arrays = malloc(sizeof *arrays);
  vtemper_data* data = NULL;
  *arrays = corpus_make();
  OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, corpus_rows, corpus_columns, arrays->offsets, VTEMPER_INT64,
                              arrays->indices, VTEMPER_INT32, arrays->values, VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL,
                              NULL, &data));
  memset(arrays, 0x7f, sizeof *arrays);
  free(arrays);
  vtemper_optimizer* optimizer = fit_of(data, options_of("method", "svi", "batch_size", "16", "seed", "5", NULL));
  OK(vtemper_optimizer_step(optimizer, 6, NULL));
  const topics seen = optimizer_topics(optimizer);
  assert_same_bits(&seen, &expected);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
}

/* By columns the arrays are read once: the hook is called before the call returns. */
static void test_release_by_columns(void** state) {
  (void)state;
  borrowed owner = borrow();
  const int64_t offsets[4] = {0, 1, 2, 2};
  const int32_t rows[2] = {1, 0};
  const double values[2] = {1, 2};
  vtemper_data* data = NULL;
  OK(vtemper_data_from_counts(VTEMPER_BY_COLUMNS, 2, 3, offsets, VTEMPER_INT64, rows, VTEMPER_INT32, values,
                              VTEMPER_DOUBLE, 0, VTEMPER_BORROW, release_arrays, &owner, &data));
  assert_int_equal(owner.released, 1);
  vtemper_data_destroy(data);
  assert_int_equal(owner.released, 1);
}

static void test_no_release_on_failure(void** state) {
  (void)state;
  borrowed owner = borrow();
  vtemper_data* data = NULL;
  owner.arrays->indices[3] = corpus_columns;
  for (int layout = 1; layout <= 2; ++layout) {
    REFUSED(VTEMPER_ERROR_DATA, "row",
            vtemper_data_from_counts((vtemper_layout)layout, layout == 1 ? corpus_rows : corpus_columns,
                                     layout == 1 ? corpus_columns : corpus_rows, owner.arrays->offsets, VTEMPER_INT64,
                                     owner.arrays->indices, VTEMPER_INT32, owner.arrays->values, VTEMPER_DOUBLE, 0,
                                     VTEMPER_BORROW, release_arrays, &owner, &data));
  }
  const double infinite[2] = {1, 1e308 * 10};
  REFUSED(
      VTEMPER_ERROR_DATA, "row",
      vtemper_data_from_dense(2, 1, infinite, VTEMPER_DOUBLE, 1, 1, VTEMPER_BORROW, release_arrays, &owner, &data));
  assert_null(data);
  assert_int_equal(owner.released, 0);
  free(owner.arrays);
}

/* Selections and splits of borrowed data are copies or keep the arrays; either way they stay readable. */
static void test_derived_data(void** state) {
  (void)state;
  borrowed owner = borrow();
  vtemper_data *data = borrowing_data(&owner), *selected = NULL, *first = NULL, *second = NULL;
  const int64_t rows[3] = {4, 0, 4};
  double total = 0, first_total = 0, second_total = 0, all = 0;
  OK(vtemper_data_total(data, &all));
  OK(vtemper_data_select(data, rows, 3, &selected));
  OK(vtemper_data_split(data, 0.25, 1, &first, &second));
  vtemper_data_destroy(data);
  OK(vtemper_data_total(selected, &total));
  OK(vtemper_data_total(first, &first_total));
  OK(vtemper_data_total(second, &second_total));
  assert_true(total > 0);
  assert_true(first_total + second_total == all);
  vtemper_data_destroy(selected);
  vtemper_data_destroy(first);
  vtemper_data_destroy(second);
  assert_int_equal(owner.released, 1);
}

static void test_dense_release(void** state) {
  (void)state;
  borrowed owner = borrow();
  vtemper_data* data = NULL;
  vtemper_data_form form = VTEMPER_COUNTS;
  int64_t entries = 0;
  const double values[4] = {1, 2, 3, 4};
  OK(vtemper_data_from_dense(2, 2, values, VTEMPER_DOUBLE, 2, 1, VTEMPER_BORROW, release_arrays, &owner, &data));
  OK(vtemper_data_form_of(data, &form));
  OK(vtemper_data_entries(data, &entries));
  assert_int_equal(form, VTEMPER_DENSE);
  assert_int_equal(entries, 4);
  assert_int_equal(owner.released, 0);
  vtemper_model* model = lda_of(NULL);
  vtemper_optimizer* optimizer = NULL;
  REFUSED(VTEMPER_ERROR_UNSUPPORTED, "dense", vtemper_optimizer_create(model, data, NULL, &optimizer));
  assert_null(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
  assert_int_equal(owner.released, 1);
}

/* The text of an option belongs to the handle, also when another start than the first is chosen. */
static void test_texts_of_options(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  int others = 0;
  for (int seed = 1; seed <= 6; ++seed) {
    char text[8];
    snprintf(text, sizeof text, "%d", seed);
    vtemper_optimizer* optimizer =
        fit_of(data, options_of("method", "vi", "restarts", "3", "max_iterations", "4", "seed", text, NULL));
    const char *method = NULL, *first_seed = NULL, *chosen_seed = NULL;
    OK(vtemper_optimizer_option(optimizer, "method", &method));
    OK(vtemper_optimizer_option(optimizer, "seed", &first_seed));
    OK(vtemper_optimizer_run(optimizer, NULL));
    assert_string_equal(method, "vi");
    assert_string_equal(first_seed, text);
    OK(vtemper_optimizer_option(optimizer, "seed", &chosen_seed));
    others += strcmp(chosen_seed, text) != 0;
    vtemper_optimizer_destroy(optimizer);
  }
  assert_true(others > 0);
  vtemper_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_orders),
      cmocka_unit_test(test_models_of_an_optimizer),
      cmocka_unit_test(test_initialise_under_an_optimizer),
      cmocka_unit_test(test_copies_are_free_at_once),
      cmocka_unit_test(test_release_by_columns),
      cmocka_unit_test(test_no_release_on_failure),
      cmocka_unit_test(test_derived_data),
      cmocka_unit_test(test_dense_release),
      cmocka_unit_test(test_texts_of_options),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
