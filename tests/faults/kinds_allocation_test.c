/* The n-th allocation fails, for n = 1, 2, 3, ..., in a fit of every kind of model from its data to its saved bytes,
 * by the functions that allocation_test.c leaves out: sequences, dense rows, texts of rows, notes, fed rows, the two
 * halves of a step, restarts, topics' scores. The status is MEMORY, nothing is leaked, and the same calls succeed
 * afterwards. And in every step of a run by time, where starts follow one another. Prints the number of failed
 * allocations. */
#include <math.h>

#include "../api/fixtures.h"
#include "failing_memory.h"
#include "small_models.h"

enum { ROWS = 24, COLUMNS = 5, ROOM = 4096 };

static const char* kind[3]; /* under test: its name, and an option and its value, or NULL */

static void choose_kind(const char* name) {
  kind[0] = name;
  kind[1] = kind[2] = NULL;
  for (int i = 0; i < SMALL_MODELS; ++i) {
    if (strcmp(small_models[i][0], name) == 0) memcpy(kind, small_models[i], sizeof kind);
  }
}

#define TRY(call)                       \
  do {                                  \
    status = (call);                    \
    if (status != VTEMPER_OK) goto end; \
  } while (0)

static vtemper_status make_data(vtemper_data** data) {
  static int64_t offsets[ROWS + 1];
  static int32_t indices[2 * ROWS];
  static double values[ROWS * COLUMNS];
  static const char* texts[ROWS];
  static const char* const names[COLUMNS] = {"one", "two", "three", "four",
                                             "a longer name than fits into a small one"};
  uint32_t state = 3;
  for (int row = 0; row < ROWS; ++row) {
    texts[row] = "a name that does not fit into a small string";
    offsets[row + 1] = 2 * (row + 1);
    indices[2 * row] = row % 2;
    indices[2 * row + 1] = 2 + row % 3;
  }
  for (int i = 0; i < ROWS * COLUMNS; ++i) values[i] = corpus_random(&state) % 2;
  vtemper_data_form form;
  vtemper_status status;
  TRY(vtemper_model_kind_form(kind[0], &form));
  if (form == VTEMPER_COUNTS) {
    static double ones[2 * ROWS];
    for (int i = 0; i < 2 * ROWS; ++i) ones[i] = 1;
    TRY(vtemper_data_from_counts(VTEMPER_BY_ROWS, ROWS, COLUMNS, offsets, VTEMPER_INT64, indices, VTEMPER_INT32, ones,
                                 VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, data));
  } else if (form == VTEMPER_DENSE) {
    TRY(vtemper_data_from_dense(ROWS, COLUMNS, values, VTEMPER_DOUBLE, COLUMNS, 1, VTEMPER_COPY, NULL, NULL, data));
  } else {
    TRY(vtemper_data_from_sequences(ROWS, COLUMNS, offsets, VTEMPER_INT64, indices, VTEMPER_INT32, 0, VTEMPER_COPY,
                                    NULL, NULL, data));
  }
  TRY(vtemper_data_set_names(*data, names, COLUMNS));
  TRY(vtemper_data_set_row_texts(*data, "name", texts, ROWS));
  TRY(vtemper_data_set_note(*data, "a note with a long name, for memory", "and a text that is long as well"));
end:
  return status;
}

static vtemper_status whole_fit(void) {
  vtemper_data *data = NULL, *aligned = NULL;
  vtemper_options *options = NULL, *of_model = NULL, *again = NULL;
  vtemper_model *model = NULL, *loaded = NULL, *second = NULL;
  vtemper_optimizer *optimizer = NULL, *restarted = NULL;
  char* bytes = NULL;
  double room[ROOM], bytes_needed;
  int64_t length, best[6];
  int32_t count;
  const char* text;
  vtemper_status status;
  TRY(make_data(&data));
  TRY(vtemper_options_create(&options));
  TRY(vtemper_options_set_integer(options, "batch_size", 8));
  TRY(vtemper_options_set_text(options, "threads", "1"));
  TRY(vtemper_options_create(&of_model));
  if (kind[1]) TRY(vtemper_options_set(of_model, kind[1], kind[2]));
  TRY(vtemper_model_create(kind[0], of_model, &model));
  TRY(vtemper_model_fit_memory(model, data, options, &bytes_needed));
  TRY(vtemper_optimizer_create(model, data, options, &optimizer));
  TRY(vtemper_optimizer_step(optimizer, 2, NULL));
  TRY(vtemper_optimizer_feed(optimizer, data, NULL));
  TRY(vtemper_optimizer_statistics_length(optimizer, &length));
  if (length <= ROOM) {
    TRY(vtemper_optimizer_local_step(optimizer, NULL, room, length));
    TRY(vtemper_optimizer_global_step(optimizer, room, length, NULL));
  }
  TRY(vtemper_optimizer_quantity_count(optimizer, &count));
  TRY(vtemper_model_infer_count(model, data, &count));
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity quantity = {.struct_size = sizeof quantity};
    TRY(vtemper_model_infer_info(model, data, i, &quantity));
    TRY(vtemper_model_infer(model, data, quantity.name, NULL, room, quantity.shape[0] * quantity.shape[1]));
  }
  TRY(vtemper_model_evaluate(model, data, NULL, "elbo", NULL, room));
  if (strcmp(kind[0], "lda") == 0) {
    TRY(vtemper_model_evaluate_topics(model, data, "coherence_npmi", NULL, room, 3));
    TRY(vtemper_model_rank_all_words(model, "relevance:0.3", 2, best, NULL));
    TRY(vtemper_data_align(data, (const char* const[]){"two", "one"}, 2, NULL, &aligned));
  }
  TRY(vtemper_model_set_note(model, "a note with a long name, for memory", "and a text that is long as well"));
  TRY(vtemper_model_note_count(model, &count));
  TRY(vtemper_model_note(model, "ending", &text));
  TRY(vtemper_model_save_buffer(model, NULL, 0, &length));
  bytes = malloc((size_t)length);
  TRY(bytes == NULL ? VTEMPER_ERROR_MEMORY : VTEMPER_OK);
  TRY(vtemper_model_save_buffer(model, bytes, length, &length));
  TRY(vtemper_model_load_buffer(bytes, length, &loaded));
  TRY(vtemper_options_copy(options, &again));
  TRY(vtemper_options_set(again, "max_iterations", "3"));
  if (strcmp(kind[0], "lda") == 0 || strcmp(kind[0], "hidden_markov") == 0) {
    TRY(vtemper_options_set(again, "restarts", "2"));
  }
  TRY(vtemper_model_create(kind[0], of_model, &second));
  TRY(vtemper_optimizer_create(second, data, again, &restarted));
  TRY(vtemper_optimizer_run(restarted, NULL));
end:
  free(bytes);
  vtemper_data_destroy(data);
  vtemper_data_destroy(aligned);
  vtemper_options_destroy(options);
  vtemper_options_destroy(of_model);
  vtemper_options_destroy(again);
  vtemper_optimizer_destroy(optimizer);
  vtemper_optimizer_destroy(restarted);
  vtemper_model_destroy(model);
  vtemper_model_destroy(loaded);
  vtemper_model_destroy(second);
  return status;
}

static void test_kinds(void** state) {
  (void)state;
  const int all = getenv("VTEMPER_FAULTS") != NULL && strcmp(getenv("VTEMPER_FAULTS"), "all") == 0;
  const long most = 150; /* places in the quick form */
  long failed = 0, whole = 0;
  for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) {
    choose_kind(vtemper_model_kind_name(i));
    OK(whole_fit()); /* creates what is kept */
    atomic_store(&memory_calls, 0);
    OK(whole_fit());
    const long calls = atomic_load(&memory_calls);
    whole += calls;
    for (int ever = 0; ever <= 1; ++ever) {
      for (long n = 1; n <= calls; n += all || calls < most ? 1 : 1 + (n * 7 + i) % (2 * calls / most)) {
        const long live = atomic_load(&memory_live);
        atomic_store(&memory_fails_on, ever);
        atomic_store(&memory_calls, 0);
        atomic_store(&memory_fails_at, n);
        const vtemper_status status = whole_fit();
        atomic_store(&memory_fails_at, 0);
        ++failed;
        /* Some calls succeed without the memory, for example with fewer threads. */
        if (status != VTEMPER_OK && status != VTEMPER_ERROR_MEMORY) {
          fail_msg("%s, allocation %ld: %s: %s", kind[0], n, vtemper_status_name(status), vtemper_last_error());
        }
        if (atomic_load(&memory_live) != live) {
          fail_msg("%s, allocation %ld: %ld blocks were leaked", kind[0], n, atomic_load(&memory_live) - live);
        }
      }
    }
    OK(whole_fit());
  }
  printf("%d kinds make %ld allocations; %ld of them failed\n", (int)vtemper_model_kind_count(), whole, failed);
}

enum { STARTS = 4, MODEL_ROOM = 65536 };

/* Starts that have ended, with their bounds. */
static int64_t starts_of(const vtemper_optimizer* optimizer, double bounds[STARTS]) {
  vtemper_quantity quantity = {.struct_size = sizeof quantity};
  int32_t count;
  OK(vtemper_optimizer_quantity_count(optimizer, &count));
  for (int32_t i = 0; i < count; ++i) {
    OK(vtemper_optimizer_quantity_info(optimizer, i, &quantity));
    if (strcmp(quantity.name, "restarts.elbo") != 0) continue;
    OK(vtemper_optimizer_get(optimizer, quantity.name, bounds, quantity.shape[0]));
    return quantity.shape[0];
  }
  return 0;
}

/* Steps until so many starts have ended; every step is tried with its n-th allocation failing, for all n, first.
 * Returns the number of failures. */
static long step_through_starts(int fail, double bounds[STARTS], char bytes[MODEL_ROOM]) {
  vtemper_data* data = NULL;
  OK(make_data(&data));
  vtemper_options *of_model = options_of(kind[1], kind[2], NULL),
                  *options = options_of("method", "vi", "time", "1e6", "threads", "1", "seed", "3", NULL);
  vtemper_model* model = NULL;
  OK(vtemper_model_create(kind[0], of_model, &model));
  vtemper_optimizer* optimizer = optimizer_of(model, data, options);
  long failed = 0;
  int64_t ended = 0;
  for (int step = 0; ended < STARTS && step < 100000; ++step) {
    vtemper_status status = VTEMPER_ERROR_MEMORY;
    for (long n = 1; fail && status == VTEMPER_ERROR_MEMORY; ++n) {
      atomic_store(&memory_calls, 0);
      atomic_store(&memory_fails_at, n);
      status = vtemper_optimizer_step(optimizer, 1, NULL);
      atomic_store(&memory_fails_at, 0);
      failed += atomic_load(&memory_calls) >= n;
    }
    if (!fail) status = vtemper_optimizer_step(optimizer, 1, NULL);
    OK(status);
    ended = starts_of(optimizer, bounds);
  }
  assert_int_equal(ended, STARTS);
  int64_t length;
  OK(vtemper_model_save_buffer(model, bytes, MODEL_ROOM, &length));
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
  return failed;
}

static void test_starts_by_time(void** state) {
  (void)state;
  static char before[MODEL_ROOM], after[MODEL_ROOM];
  const char* const tried[] = {"gaussian_mixture", "hidden_markov"};
  for (size_t i = 0; i < sizeof tried / sizeof *tried; ++i) {
    double bounds[2][STARTS];
    choose_kind(tried[i]);
    step_through_starts(0, bounds[0], before);
    const long failed = step_through_starts(1, bounds[1], after);
    assert_true(failed > STARTS * 10);
    assert_memory_equal(bounds[0], bounds[1], sizeof bounds[0]);
    assert_memory_equal(before, after, sizeof before);
    printf("%s, %d starts by time: %ld allocations failed\n", tried[i], STARTS, failed);
  }
}

int main(void) {
  if (!can_fail_memory()) {
    puts("another malloc is in use (a sanitizer, valgrind)");
    return 77;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_starts_by_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
