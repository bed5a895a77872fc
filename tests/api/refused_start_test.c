/* The first rows that are fed to an optimizer decide automatic options, and with few of many topics also the topics.
 * If they are refused for their numbers, model and optimizer are as before, and later steps give the same bits. */
#include "fixtures.h"

typedef struct fit_case {
  const char *name, *kind, *method;
  const char* of_model[4]; /* names and values in turn */
  const char* of_fit[4];
} fit_case;

static const fit_case cases[] = {
    {"annealing", "lda", "annealing", {NULL}, {NULL}},
    {"all topics at once", "lda", "annealing", {"learn_alpha", "true"}, {"temperature_start", "1.5"}},
    {"few of many topics", "lda", "annealing", {"topics", "64", "initial_topics", "8"}, {NULL}},
    {"single precision", "lda", "annealing", {"topics", "64", "precision", "float"}, {"temperature_reheat", "3"}},
    {"entropy annealing", "lda", "entropy_annealing", {NULL}, {NULL}},
    {"tempering", "lda", "tempering", {NULL}, {NULL}},
    {"smoothed", "lda", "tempering", {NULL}, {"temperature_estimate", "smoothed"}},
    {"local tempering", "lda", "local_tempering", {NULL}, {NULL}},
    {"adaptive", "lda", "svi", {NULL}, {"step_size", "adaptive"}},
    {"proximity", "sigmoid_belief_network", "proximity", {"layers", "4"}, {NULL}},
    {"gradients", "deep_exponential_family", "entropy_annealing", {"latent", "4"}, {NULL}},
};
enum { case_count = sizeof cases / sizeof *cases, steps = 3 };

static void set_all(vtemper_options* options, const char* const* pairs) {
  for (int i = 0; i < 4 && pairs[i] != NULL; i += 2) OK(vtemper_options_set(options, pairs[i], pairs[i + 1]));
}

static vtemper_model* model_of(const fit_case* of, const vtemper_data* data) {
  vtemper_model* model = NULL;
  vtemper_options* options = options_of("precision", "double", NULL);
  if (strcmp(of->kind, "lda") == 0) OK(vtemper_options_set(options, "topics", "4"));
  set_all(options, of->of_model);
  OK(vtemper_model_create(of->kind, options, &model));
  OK(vtemper_model_initialize(model, data, 3));
  vtemper_options_destroy(options);
  return model;
}

static vtemper_optimizer* fed_optimizer(const fit_case* of, vtemper_model* model) {
  vtemper_options* options = options_of("method", of->method, "rows_total", "100000", NULL);
  set_all(options, of->of_fit);
  return optimizer_of(model, NULL, options);
}

/* The first rows of the corpus, their counts multiplied; for belief networks dense rows of 0 and 1, multiplied. */
static vtemper_data* rows_of(const fit_case* of, int64_t count, double factor, double weight) {
  static double dense[corpus_rows * corpus_columns];
  corpus rows = corpus_make();
  double weights[corpus_rows];
  vtemper_data* data = NULL;
  memset(dense, 0, sizeof dense);
  for (int64_t row = 0; row < count; ++row) {
    weights[row] = weight;
    for (int64_t i = rows.offsets[row]; i < rows.offsets[row + 1]; ++i) {
      dense[row * corpus_columns + rows.indices[i]] = factor;
      rows.values[i] *= factor;
    }
  }
  if (strcmp(of->kind, "sigmoid_belief_network") == 0) {
    OK(vtemper_data_from_dense(count, corpus_columns, dense, VTEMPER_DOUBLE, corpus_columns, 1, VTEMPER_COPY, NULL,
                               NULL, &data));
  } else {
    OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, count, corpus_columns, rows.offsets, VTEMPER_INT64, rows.indices,
                                VTEMPER_INT32, rows.values, VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &data));
  }
  OK(vtemper_data_set_weights(data, weights, count));
  return data;
}

/* All options that are in use, as text; to be freed by the caller. */
static char* used_options_of(const vtemper_model* model, const vtemper_optimizer* optimizer, const char* kind) {
  const char* subjects[] = {kind, "optimizer"};
  size_t length = 0;
  char* all = NULL;
  FILE* to = open_memstream(&all, &length);
  assert_non_null(to);
  for (int i = 0; i < 2; ++i) {
    vtemper_options* used = NULL;
    int32_t count = 0;
    OK(i == 0 ? vtemper_model_used_options(model, &used) : vtemper_optimizer_used_options(optimizer, &used));
    OK(vtemper_option_count(subjects[i], &count));
    for (int32_t at = 0; at < count; ++at) {
      vtemper_option option = {.struct_size = sizeof option};
      const char* text = NULL;
      OK(vtemper_option_info(subjects[i], at, &option));
      if (vtemper_options_get_text(used, option.name, &text) != VTEMPER_OK) continue; /* of another method */
      fprintf(to, "%s=%s\n", option.name, text);
    }
    vtemper_options_destroy(used);
  }
  assert_int_equal(fclose(to), 0);
  return all;
}

/* All quantities of an optimizer, as text; to be freed by the caller. */
static char* quantities_of(const vtemper_optimizer* optimizer) {
  size_t length = 0;
  char* all = NULL;
  int32_t count = 0;
  FILE* to = open_memstream(&all, &length);
  assert_non_null(to);
  OK(vtemper_optimizer_quantity_count(optimizer, &count));
  for (int32_t at = 0; at < count; ++at) {
    vtemper_quantity quantity = {.struct_size = sizeof quantity};
    OK(vtemper_optimizer_quantity_info(optimizer, at, &quantity));
    int64_t size = 1;
    for (int32_t d = 0; d < quantity.rank; ++d) size *= quantity.shape[d];
    double* values = malloc((size_t)size * sizeof *values + 1);
    assert_non_null(values);
    if (vtemper_optimizer_get(optimizer, quantity.name, values, size) == VTEMPER_OK) {
      for (int64_t i = 0; i < size; ++i) fprintf(to, "%s=%a\n", quantity.name, values[i]);
    }
    free(values);
  }
  assert_int_equal(fclose(to), 0);
  return all;
}

/* What a model and its optimizer consist of. */
typedef struct whole {
  char *model, *checkpoint, *options, *quantities;
  int64_t model_size, checkpoint_size;
} whole;

static whole whole_of(const vtemper_model* model, const vtemper_optimizer* optimizer, const char* kind) {
  whole all;
  all.model = model_bytes_of(model, &all.model_size);
  all.checkpoint = checkpoint_of(optimizer, &all.checkpoint_size);
  all.options = used_options_of(model, optimizer, kind);
  all.quantities = quantities_of(optimizer);
  return all;
}

static void destroy_whole(const whole* all) {
  free(all->model);
  free(all->checkpoint);
  free(all->options);
  free(all->quantities);
}

static void assert_same_model(const whole* a, const whole* b) {
  assert_string_equal(a->options, b->options);
  assert_int_equal(a->model_size, b->model_size);
  assert_memory_equal(a->model, b->model, (size_t)a->model_size);
}

static void feed_steps(const fit_case* of, vtemper_optimizer* optimizer) {
  vtemper_data* rows = rows_of(of, 20, 1, 1);
  for (int step = 0; step < steps; ++step) OK(vtemper_optimizer_feed(optimizer, rows, NULL));
  vtemper_data_destroy(rows);
}

typedef struct refused_rows {
  double factor, weight;
  int call; /* feed, local_step, or local_step_at with floats */
} refused_rows;

static void feed_refused(const fit_case* of, vtemper_optimizer* fit, const refused_rows* what) {
  vtemper_data* rows = rows_of(of, corpus_rows, what->factor, what->weight);
  int64_t length = 0;
  OK(vtemper_optimizer_statistics_length(fit, &length));
  double* statistics = malloc((size_t)length * sizeof *statistics);
  assert_non_null(statistics);
  const vtemper_status status = what->call == 0   ? vtemper_optimizer_feed(fit, rows, NULL)
                                : what->call == 1 ? vtemper_optimizer_local_step(fit, rows, statistics, length)
                                                  : vtemper_optimizer_local_step_at(
                                                        fit, rows, 0, corpus_rows, statistics, VTEMPER_FLOAT, length);
  if (status != VTEMPER_ERROR_NUMERIC && status != VTEMPER_ERROR_DATA) {
    fail_msg("%s: rows %g x %g: %s: %s", of->name, what->factor, what->weight, vtemper_status_name(status),
             vtemper_last_error());
  }
  free(statistics);
  vtemper_data_destroy(rows);
}

/* Feeds rows that are refused to one of two fits that are alike, then the same usual rows to both. */
static void compare(const fit_case* of, vtemper_model* model, vtemper_model* twin) {
  const refused_rows refused[] = {{1e37, 1e300, 1}, {1e37, 1e300, 0}, {1, 1e300, 0}, {1, 1e-148, 0}, {1, 1e40, 2}};
  vtemper_optimizer *fit = fed_optimizer(of, model), *other = fed_optimizer(of, twin);
  const whole before = whole_of(model, fit, of->kind);
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    feed_refused(of, fit, &refused[i]);
    whole after = whole_of(model, fit, of->kind);
    assert_same_model(&after, &before);
    assert_string_equal(after.quantities, before.quantities);
    assert_int_equal(after.checkpoint_size, before.checkpoint_size);
    assert_memory_equal(after.checkpoint, before.checkpoint, (size_t)before.checkpoint_size);
    destroy_whole(&after);
  }
  feed_steps(of, fit);
  feed_steps(of, other);
  const whole fitted = whole_of(model, fit, of->kind), expected = whole_of(twin, other, of->kind);
  assert_same_model(&fitted, &expected);
  assert_string_not_equal(fitted.options, before.options);
  destroy_whole(&before);
  destroy_whole(&fitted);
  destroy_whole(&expected);
  vtemper_optimizer_destroy(fit);
  vtemper_optimizer_destroy(other);
}

static void test_fresh_models(void** state) {
  (void)state;
  for (int i = 0; i < case_count; ++i) {
    vtemper_data* data = rows_of(&cases[i], corpus_rows, 1, 1);
    vtemper_model *model = model_of(&cases[i], data), *twin = model_of(&cases[i], data);
    compare(&cases[i], model, twin);
    vtemper_model_destroy(model);
    vtemper_model_destroy(twin);
    vtemper_data_destroy(data);
  }
}

/* A new fit of a model whose last fit ended while it had few of its topics: the start splits them. */
static void test_growing_model(void** state) {
  (void)state;
  const fit_case few = cases[2];
  fit_case cooler = few;
  cooler.of_fit[0] = "temperature_start";
  cooler.of_fit[1] = "1.6";
  vtemper_data* data = corpus_data();
  vtemper_model* models[2];
  for (int i = 0; i < 2; ++i) {
    models[i] = model_of(&few, data);
    vtemper_optimizer* first = fed_optimizer(&few, models[i]);
    feed_steps(&few, first);
    vtemper_optimizer_destroy(first);
  }
  compare(&cooler, models[0], models[1]);
  for (int i = 0; i < 2; ++i) vtemper_model_destroy(models[i]);
  vtemper_data_destroy(data);
}

/* A fit that was started, but did no step, does not matter to the next one; nor does the next one, if its rows are
 * refused, to the step that the first has begun. */
static void test_two_starts(void** state) {
  (void)state;
  const fit_case* of = &cases[3];
  const refused_rows too_light = {1, 1e-148, 0};
  vtemper_data *data = corpus_data(), *few_words = corpus_slice(7, 9);
  vtemper_model *model = model_of(of, data), *twin = model_of(of, data);
  vtemper_optimizer *started = fed_optimizer(of, model), *alone = fed_optimizer(of, twin);
  int64_t length = 0;
  OK(vtemper_optimizer_statistics_length(started, &length));
  double* statistics = malloc((size_t)length * sizeof *statistics);
  assert_non_null(statistics);
  OK(vtemper_optimizer_local_step(started, few_words, statistics, length));
  vtemper_optimizer *fit = fed_optimizer(of, model), *other = fed_optimizer(of, twin);
  feed_refused(of, fit, &too_light);
  vtemper_model *begun = NULL, *begun_alone = NULL;
  OK(vtemper_model_copy(model, &begun));
  OK(vtemper_optimizer_local_step(alone, few_words, statistics, length));
  OK(vtemper_model_copy(twin, &begun_alone));
  whole with_refused = whole_of(begun, fit, "lda"), without = whole_of(begun_alone, other, "lda");
  assert_same_model(&with_refused, &without);
  feed_steps(of, fit);
  vtemper_model* fresh = model_of(of, data);
  vtemper_optimizer* only = fed_optimizer(of, fresh);
  feed_steps(of, only);
  whole fitted = whole_of(model, fit, "lda"), expected = whole_of(fresh, only, "lda");
  assert_same_model(&fitted, &expected);
  vtemper_optimizer* optimizers[] = {started, alone, fit, other, only};
  vtemper_model* models[] = {model, twin, begun, begun_alone, fresh};
  for (int i = 0; i < 5; ++i) vtemper_optimizer_destroy(optimizers[i]);
  for (int i = 0; i < 5; ++i) vtemper_model_destroy(models[i]);
  const whole* wholes[] = {&with_refused, &without, &fitted, &expected};
  for (int i = 0; i < 4; ++i) destroy_whole(wholes[i]);
  free(statistics);
  vtemper_data_destroy(few_words);
  vtemper_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fresh_models),
      cmocka_unit_test(test_growing_model),
      cmocka_unit_test(test_two_starts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
