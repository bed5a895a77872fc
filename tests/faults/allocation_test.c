/* The n-th allocation fails, for n = 1, 2, 3, ... over whole scenarios: the status is MEMORY, nothing is leaked, what
 * existed before is unchanged, and the same call succeeds when there is memory again. One thread: several do not
 * allocate in the same order twice. */
#include <unistd.h>

#include "../api/fixtures.h"
#include "failing_memory.h"

/** The objects of a scenario, all made before memory fails. */
typedef struct setting {
  vtemper_data* data;
  vtemper_model* model;
  vtemper_optimizer* optimizer; /* of `model`, a few steps done */
  vtemper_options* options;
  vtemper_options* model_options;
  vtemper_options* evaluate_options;
  char* model_bytes;
  char* checkpoint;
  int64_t model_size, checkpoint_size;
  corpus arrays;
  char folder[64], corpus_path[128], saved_path[128], text_path[128];
} setting;

typedef vtemper_status (*scenario)(setting* with);

#define TRY(call)                       \
  do {                                  \
    status = (call);                    \
    if (status != VTEMPER_OK) goto end; \
  } while (0)

static vtemper_status make_options(setting* with) {
  vtemper_options *options = NULL, *copy = NULL;
  const char* text = NULL;
  vtemper_status status;
  (void)with;
  TRY(vtemper_options_create(&options));
  TRY(vtemper_options_set(options, "a name that does not fit into a small string",
                          "a text that does not fit either"));
  TRY(vtemper_options_set_reals(options, "alpha", (const double[]){0.1, 0.2, 0.3, 0.4}, 4));
  TRY(vtemper_options_copy(options, &copy));
  TRY(vtemper_options_get_text(copy, "alpha", &text));
end:
  vtemper_options_destroy(options);
  vtemper_options_destroy(copy);
  return status;
}

/* A value that could not be replaced is unchanged. */
static vtemper_status change_option(setting* with) {
  const char* text = NULL;
  const vtemper_status status =
      vtemper_options_set(with->options, "seed", "12345678901234567890123456789012345678901234567890");
  if (status != VTEMPER_OK) {
    const long fails_at = atomic_exchange(&memory_fails_at, 0);
    OK(vtemper_options_get_text(with->options, "seed", &text));
    assert_string_equal(text, "5");
    atomic_store(&memory_fails_at, fails_at);
    return status;
  }
  return vtemper_options_set(with->options, "seed", "5");
}

static vtemper_status make_data(setting* with) {
  vtemper_data *data = NULL, *columns = NULL, *dense = NULL, *selected = NULL, *first = NULL, *second = NULL;
  vtemper_data *observed = NULL, *heldout = NULL, *aligned = NULL;
  const char* names[3] = {"one", "a longer name than fits into a small string", "three"};
  const int64_t offsets[4] = {0, 1, 2, 3}, rows[2] = {1, 2};
  const int32_t indices[3] = {2, 1, 0};
  const double values[3] = {1, 2, 3};
  double unknown;
  vtemper_status status;
  TRY(vtemper_data_from_counts(VTEMPER_BY_ROWS, corpus_rows, corpus_columns, with->arrays.offsets, VTEMPER_INT64,
                               with->arrays.indices, VTEMPER_INT32, with->arrays.values, VTEMPER_DOUBLE, 0,
                               VTEMPER_COPY, NULL, NULL, &data));
  TRY(vtemper_data_from_counts(VTEMPER_BY_COLUMNS, 3, 3, offsets, VTEMPER_INT64, indices, VTEMPER_INT32, values,
                               VTEMPER_DOUBLE, 0, VTEMPER_BORROW, NULL, NULL, &columns));
  TRY(vtemper_data_from_dense(1, 3, values, VTEMPER_DOUBLE, 3, 1, VTEMPER_COPY, NULL, NULL, &dense));
  TRY(vtemper_data_set_names(columns, names, 3));
  TRY(vtemper_data_set_weights(columns, values, 3));
  TRY(vtemper_data_select(columns, rows, 2, &selected));
  TRY(vtemper_data_split(columns, 0.5, 1, &first, &second));
  TRY(vtemper_data_split_counts(columns, 0.5, 1, &observed, &heldout));
  TRY(vtemper_data_align(columns, names, 2, &unknown, &aligned));
end:
  vtemper_data_destroy(data);
  vtemper_data_destroy(columns);
  vtemper_data_destroy(dense);
  vtemper_data_destroy(selected);
  vtemper_data_destroy(first);
  vtemper_data_destroy(second);
  vtemper_data_destroy(observed);
  vtemper_data_destroy(heldout);
  vtemper_data_destroy(aligned);
  return status;
}

static vtemper_status read_and_write_data(setting* with) {
  vtemper_data *mapped = NULL, *text = NULL;
  double total;
  vtemper_status status;
  TRY(vtemper_data_write(with->data, with->corpus_path));
  TRY(vtemper_data_read(with->corpus_path, NULL, &mapped));
  TRY(vtemper_data_verify(mapped));
  TRY(vtemper_data_total(mapped, &total));
  TRY(vtemper_data_read(with->text_path, NULL, &text));
end:
  vtemper_data_destroy(mapped);
  vtemper_data_destroy(text);
  return status;
}

static const char* const methods[] = {"vi", "svi", "annealing", "tempering", "local_tempering"};
static const char* method_now = "vi";

static vtemper_status fit(setting* with) {
  vtemper_options* options = NULL;
  vtemper_model *model = NULL, *copy = NULL, *same = NULL;
  vtemper_optimizer* optimizer = NULL;
  vtemper_report report = {.struct_size = sizeof report};
  double lambda[corpus_topics * corpus_columns];
  vtemper_status status;
  TRY(vtemper_options_create(&options));
  TRY(vtemper_options_set(options, "method", method_now));
  TRY(vtemper_options_set(options, "batch_size", strcmp(method_now, "vi") == 0 ? "0" : "16"));
  TRY(vtemper_options_set(options, "threads", "1"));
  if (strcmp(method_now, "tempering") == 0) TRY(vtemper_options_set(options, "temperature_grid_size", "4"));
  TRY(vtemper_model_create("lda", with->model_options, &model));
  TRY(vtemper_optimizer_create(model, with->data, options, &optimizer));
  TRY(vtemper_optimizer_step(optimizer, 3, &report));
  TRY(vtemper_optimizer_model(optimizer, &same));
  TRY(vtemper_model_copy(model, &copy));
  TRY(vtemper_model_get(copy, "lambda", lambda, corpus_topics * corpus_columns));
  TRY(vtemper_model_set(copy, "lambda", lambda, corpus_topics * corpus_columns));
end:
  vtemper_options_destroy(options);
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_model_destroy(same);
  vtemper_model_destroy(copy);
  return status;
}

/* An optimizer that could not be created leaves the model uninitialised. */
static vtemper_status create_only(setting* with) {
  vtemper_model* model = NULL;
  vtemper_optimizer* optimizer = NULL;
  vtemper_status status;
  TRY(vtemper_model_create("lda", with->model_options, &model));
  status = vtemper_optimizer_create(model, with->data, with->options, &optimizer);
  if (status != VTEMPER_OK) {
    int64_t columns = -1;
    assert_int_equal(vtemper_model_columns(model, &columns), VTEMPER_OK);
    assert_int_equal(columns, 0);
    assert_null(optimizer);
  }
end:
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  return status;
}

static vtemper_status look_at_the_fit(setting* with) {
  double gamma[corpus_rows * corpus_topics], score;
  int64_t best[5];
  int32_t count;
  const char* text;
  vtemper_option option = {.struct_size = sizeof option};
  vtemper_quantity quantity = {.struct_size = sizeof quantity};
  vtemper_status status;
  TRY(vtemper_model_infer(with->model, with->data, "gamma", with->evaluate_options, gamma,
                          corpus_rows * corpus_topics));
  TRY(vtemper_model_evaluate(with->model, with->data, NULL, "predictive", with->evaluate_options, &score));
  TRY(vtemper_model_evaluate(with->model, with->data, NULL, "elbo", with->evaluate_options, &score));
  TRY(vtemper_model_rank_words(with->model, 0, "frex", 5, best, NULL));
  TRY(vtemper_model_evaluate(with->model, with->data, NULL, "coherence_npmi", with->evaluate_options, &score));
  TRY(vtemper_model_parameter_count(with->model, &count));
  TRY(vtemper_model_parameter_info(with->model, 0, &quantity));
  TRY(vtemper_optimizer_quantity_info(with->optimizer, 0, &quantity));
  TRY(vtemper_option_info("optimizer", 0, &option));
  TRY(vtemper_option_count("lda", &count));
  TRY(vtemper_model_option(with->model, "topics", &text));
end:
  return status;
}

static vtemper_status save_and_load(setting* with) {
  vtemper_model *model = NULL, *from_file = NULL;
  vtemper_optimizer* optimizer = NULL;
  int64_t size;
  vtemper_status status;
  TRY(vtemper_model_save_buffer(with->model, with->model_bytes, with->model_size, &size));
  TRY(vtemper_model_load_buffer(with->model_bytes, with->model_size, &model));
  TRY(vtemper_optimizer_save_buffer(with->optimizer, with->checkpoint, with->checkpoint_size, &size));
  TRY(vtemper_optimizer_load_buffer(with->checkpoint, with->checkpoint_size, with->data, &optimizer));
  TRY(vtemper_model_save(with->model, with->saved_path));
  TRY(vtemper_model_load(with->saved_path, &from_file));
end:
  vtemper_model_destroy(model);
  vtemper_model_destroy(from_file);
  vtemper_optimizer_destroy(optimizer);
  return status;
}

/* A failed step has no effect: later steps have the bits of an undisturbed run. */
static vtemper_status step_again(setting* with) {
  vtemper_optimizer* optimizer = NULL;
  vtemper_status status;
  TRY(vtemper_optimizer_load_buffer(with->checkpoint, with->checkpoint_size, with->data, &optimizer));
  status = vtemper_optimizer_step(optimizer, 2, NULL);
  if (status != VTEMPER_OK) {
    const long fails_at = atomic_exchange(&memory_fails_at, 0);
    vtemper_optimizer* undisturbed = NULL;
    const int64_t done = report_of(optimizer).iteration - report_of(with->optimizer).iteration;
    assert_true(done == 0 || done == 1);
    OK(vtemper_optimizer_step(optimizer, 2 - done, NULL));
    OK(vtemper_optimizer_load_buffer(with->checkpoint, with->checkpoint_size, with->data, &undisturbed));
    OK(vtemper_optimizer_step(undisturbed, 2, NULL));
    const topics a = optimizer_topics(optimizer), b = optimizer_topics(undisturbed);
    assert_same_bits(&a, &b);
    vtemper_optimizer_destroy(undisturbed);
    atomic_store(&memory_fails_at, fails_at);
  }
end:
  vtemper_optimizer_destroy(optimizer);
  return status;
}

static setting* set_up(void) {
  setting* made = calloc(1, sizeof *made);
  snprintf(made->folder, sizeof made->folder, "/tmp/vtemper-faults-XXXXXX");
  assert_non_null(mkdtemp(made->folder));
  snprintf(made->corpus_path, sizeof made->corpus_path, "%s/corpus", made->folder);
  snprintf(made->saved_path, sizeof made->saved_path, "%s/model", made->folder);
  snprintf(made->text_path, sizeof made->text_path, "%s/text.ldac", made->folder);
  FILE* text = fopen(made->text_path, "w");
  assert_non_null(text);
  fputs("2 0:1 3:2\n0\n1 2:4\n", text);
  fclose(text);
  made->arrays = corpus_make();
  made->data = corpus_data();
  made->options = options_of("method", method_now, "seed", "5", "threads", "1", NULL);
  if (strcmp(method_now, "vi") != 0) OK(vtemper_options_set(made->options, "batch_size", "16"));
  if (strcmp(method_now, "tempering") == 0) OK(vtemper_options_set(made->options, "temperature_grid_size", "4"));
  made->model_options = options_of("topics", "4", "precision", "double", NULL);
  made->evaluate_options = options_of("threads", "1", NULL);
  OK(vtemper_model_create("lda", made->model_options, &made->model));
  OK(vtemper_optimizer_create(made->model, made->data, made->options, &made->optimizer));
  OK(vtemper_optimizer_step(made->optimizer, 2, NULL));
  made->model_bytes = model_bytes_of(made->model, &made->model_size);
  made->checkpoint = checkpoint_of(made->optimizer, &made->checkpoint_size);
  return made;
}

static void tear_down(setting* made) {
  unlink(made->corpus_path);
  unlink(made->saved_path);
  unlink(made->text_path);
  assert_int_equal(rmdir(made->folder), 0); /* no temporary file was left behind */
  vtemper_options_destroy(made->options);
  vtemper_options_destroy(made->model_options);
  vtemper_options_destroy(made->evaluate_options);
  vtemper_optimizer_destroy(made->optimizer);
  vtemper_model_destroy(made->model);
  vtemper_data_destroy(made->data);
  free(made->model_bytes);
  free(made->checkpoint);
  free(made);
}

/** Fails every single allocation of the scenario in turn; then, with `fails_on`, it and all after it. */
static void sweep(scenario run) {
  for (int fails_on = 0; fails_on <= 1; ++fails_on) {
    setting* with = set_up();
    const topics before = model_topics(with->model);
    OK(run(with)); /* creates what is kept */
    long n = 0;
    vtemper_status status = VTEMPER_ERROR_MEMORY;
    for (n = 1; status != VTEMPER_OK; ++n) {
      const long live = atomic_load(&memory_live);
      atomic_store(&memory_fails_on, fails_on);
      atomic_store(&memory_calls, 0);
      atomic_store(&memory_fails_at, n);
      status = run(with);
      const long calls = atomic_load(&memory_calls);
      atomic_store(&memory_fails_at, 0);
      if (status != VTEMPER_OK && status != VTEMPER_ERROR_MEMORY && status != VTEMPER_ERROR_IO) {
        fail_msg("allocation %ld failed: %s: %s", n, vtemper_status_name(status), vtemper_last_error());
      }
      if (status == VTEMPER_OK && calls >= n) status = VTEMPER_ERROR_MEMORY; /* succeeded without the memory: go on */
      if (atomic_load(&memory_live) != live) {
        fail_msg("allocation %ld failed and %ld blocks were leaked: %s", n, atomic_load(&memory_live) - live,
                 vtemper_last_error());
      }
      assert_true(n < 100000);
    }
    assert_true(n > 2);
    const topics after = model_topics(with->model);
    assert_same_bits(&before, &after);
    OK(run(with));
    tear_down(with);
  }
}

static void test_options(void** state) {
  (void)state;
  sweep(make_options);
  sweep(change_option);
}

static void test_data(void** state) {
  (void)state;
  sweep(make_data);
  sweep(read_and_write_data);
}

static void test_fit(void** state) {
  (void)state;
  for (int m = 0; m < 5; ++m) {
    method_now = methods[m];
    sweep(fit);
    sweep(create_only);
    sweep(step_again);
  }
}

static void test_look(void** state) {
  (void)state;
  sweep(look_at_the_fit);
}

static void test_storage(void** state) {
  (void)state;
  method_now = "tempering";
  sweep(save_and_load);
}

int main(void) {
  if (!can_fail_memory()) {
    puts("another malloc is in use (a sanitizer, valgrind)");
    return 77;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_options), cmocka_unit_test(test_data),    cmocka_unit_test(test_fit),
      cmocka_unit_test(test_look),    cmocka_unit_test(test_storage),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
