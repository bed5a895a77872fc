/* Every function with every wrong argument: the status is ARGUMENT, the message names the argument, nothing is
 * written. */
#include <pthread.h>

#include "fixtures.h"

typedef struct handles {
  vtemper_options* options;
  vtemper_data* data;
  vtemper_model* model;
  vtemper_optimizer* optimizer;
} handles;

static int set_up(void** state) {
  handles* made = calloc(1, sizeof *made);
  made->data = corpus_data();
  made->options = options_of("topics", "4", NULL);
  made->model = lda_of(NULL);
  made->optimizer = optimizer_of(made->model, made->data, options_of("method", "vi", NULL));
  *state = made;
  return 0;
}

static int tear_down(void** state) {
  handles* made = *state;
  vtemper_options_destroy(made->options);
  vtemper_data_destroy(made->data);
  vtemper_model_destroy(made->model);
  vtemper_optimizer_destroy(made->optimizer);
  free(made);
  return 0;
}

#define WRONG(word, call) REFUSED(VTEMPER_ERROR_ARGUMENT, word, call)

static void* const untouched = (void*)(uintptr_t)0x1234;

static void test_describing(void** state) {
  (void)state;
  int32_t count = -7;
  vtemper_option info = {.struct_size = sizeof info};
  WRONG("subject", vtemper_option_count(NULL, &count));
  WRONG("count", vtemper_option_count("lda", NULL));
  WRONG("lda", vtemper_option_count("ldb", &count));
  WRONG("UTF-8", vtemper_option_count("ld\xff", &count));
  assert_int_equal(count, -7);
  WRONG("subject", vtemper_option_info(NULL, 0, &info));
  WRONG("info", vtemper_option_info("lda", 0, NULL));
  WRONG("index", vtemper_option_info("lda", -1, &info));
  WRONG("index", vtemper_option_info("lda", 100000, &info));
  assert_null(info.name);
  assert_null(vtemper_model_kind_name(-1));
  assert_null(vtemper_model_kind_name(vtemper_model_kind_count()));
  assert_null(vtemper_model_kind(NULL));
}

static void test_options(void** state) {
  handles* made = *state;
  vtemper_options* options = untouched;
  const char* text = untouched;
  const double values[2] = {1, 2};
  const double infinite = 1e308 * 10;
  WRONG("options", vtemper_options_create(NULL));
  WRONG("options", vtemper_options_copy(NULL, &options));
  WRONG("copy", vtemper_options_copy(made->options, NULL));
  assert_ptr_equal(options, untouched);
  WRONG("options", vtemper_options_set(NULL, "topics", "3"));
  WRONG("name", vtemper_options_set(made->options, NULL, "3"));
  WRONG("name", vtemper_options_set(made->options, "", "3"));
  WRONG("name", vtemper_options_set(made->options, "\xc3", "3"));
  WRONG("text", vtemper_options_set(made->options, "topics", NULL));
  WRONG("text", vtemper_options_set(made->options, "topics", "\xff\xfe"));
  WRONG("options", vtemper_options_set_text(NULL, "topics", "3"));
  WRONG("name", vtemper_options_set_text(made->options, NULL, "3"));
  WRONG("text", vtemper_options_set_text(made->options, "topics", NULL));
  WRONG("options", vtemper_options_set_integer(NULL, "topics", 3));
  WRONG("name", vtemper_options_set_integer(made->options, NULL, 3));
  WRONG("options", vtemper_options_set_real(NULL, "alpha", 3));
  WRONG("name", vtemper_options_set_real(made->options, NULL, 3));
  WRONG("value", vtemper_options_set_real(made->options, "alpha", infinite));
  WRONG("value", vtemper_options_set_real(made->options, "alpha", infinite - infinite));
  WRONG("options", vtemper_options_set_reals(NULL, "alpha", values, 2));
  WRONG("name", vtemper_options_set_reals(made->options, NULL, values, 2));
  WRONG("values", vtemper_options_set_reals(made->options, "alpha", NULL, 2));
  WRONG("length", vtemper_options_set_reals(made->options, "alpha", values, 0));
  WRONG("length", vtemper_options_set_reals(made->options, "alpha", values, -1));
  WRONG("values[1]", vtemper_options_set_reals(made->options, "alpha", (const double[]){1, infinite}, 2));
  WRONG("options", vtemper_options_get_text(NULL, "topics", &text));
  WRONG("name", vtemper_options_get_text(made->options, NULL, &text));
  WRONG("text", vtemper_options_get_text(made->options, "topics", NULL));
  REFUSED(VTEMPER_ERROR_OPTION, "topics", vtemper_options_get_text(made->options, "topic", &text));
  assert_ptr_equal(text, untouched);
  OK(vtemper_options_get_text(made->options, "topics", &text));
  assert_string_equal(text, "4");
}

static void no_release(void* user) {
  (void)user;
}

static void test_data_from_arrays(void** state) {
  (void)state;
  const int64_t offsets[3] = {0, 1, 2};
  const int32_t indices[2] = {0, 1};
  const double values[2] = {1, 2};
  vtemper_data* data = untouched;
  const int nine = 9;
  vtemper_layout layout;
  vtemper_element element;
  vtemper_ownership ownership;
  memcpy(&layout, &nine, sizeof layout);
  memcpy(&element, &nine, sizeof element);
  memcpy(&ownership, &nine, sizeof ownership);
#define COUNTS(LAYOUT, ROWS, COLUMNS, OFFSETS, OT, INDICES, IT, VALUES, VT, BASE, OWNERSHIP, RELEASE, DATA)       \
  vtemper_data_from_counts(LAYOUT, ROWS, COLUMNS, OFFSETS, OT, INDICES, IT, VALUES, VT, BASE, OWNERSHIP, RELEASE, \
                           NULL, DATA)
  const vtemper_layout by_rows = VTEMPER_BY_ROWS;
  const vtemper_element i4 = VTEMPER_INT32, i8 = VTEMPER_INT64, real = VTEMPER_DOUBLE;
  const vtemper_ownership copy = VTEMPER_COPY;
  WRONG("layout", COUNTS(layout, 2, 2, offsets, i8, indices, i4, values, real, 0, copy, NULL, &data));
  WRONG("rows", COUNTS(by_rows, -2, 2, offsets, i8, indices, i4, values, real, 0, copy, NULL, &data));
  WRONG("columns", COUNTS(by_rows, 2, -1, offsets, i8, indices, i4, values, real, 0, copy, NULL, &data));
  WRONG("offsets", COUNTS(by_rows, 2, 2, NULL, i8, indices, i4, values, real, 0, copy, NULL, &data));
  WRONG("offsets_type", COUNTS(by_rows, 2, 2, offsets, real, indices, i4, values, real, 0, copy, NULL, &data));
  WRONG("offsets_type", COUNTS(by_rows, 2, 2, offsets, element, indices, i4, values, real, 0, copy, NULL, &data));
  WRONG("indices", COUNTS(by_rows, 2, 2, offsets, i8, NULL, i4, values, real, 0, copy, NULL, &data));
  WRONG("indices_type", COUNTS(by_rows, 2, 2, offsets, i8, indices, real, values, real, 0, copy, NULL, &data));
  WRONG("values", COUNTS(by_rows, 2, 2, offsets, i8, indices, i4, NULL, real, 0, copy, NULL, &data));
  WRONG("values_type", COUNTS(by_rows, 2, 2, offsets, i8, indices, i4, values, element, 0, copy, NULL, &data));
  WRONG("index_base", COUNTS(by_rows, 2, 2, offsets, i8, indices, i4, values, real, 2, copy, NULL, &data));
  WRONG("index_base", COUNTS(by_rows, 2, 2, offsets, i8, indices, i4, values, real, -1, copy, NULL, &data));
  WRONG("ownership", COUNTS(by_rows, 2, 2, offsets, i8, indices, i4, values, real, 0, ownership, NULL, &data));
  WRONG("release", COUNTS(by_rows, 2, 2, offsets, i8, indices, i4, values, real, 0, copy, no_release, &data));
  WRONG("data", COUNTS(by_rows, 2, 2, offsets, i8, indices, i4, values, real, 0, copy, NULL, NULL));

#define DENSE(ROWS, COLUMNS, VALUES, TYPE, ROW, COLUMN, OWNERSHIP, RELEASE, DATA) \
  vtemper_data_from_dense(ROWS, COLUMNS, VALUES, TYPE, ROW, COLUMN, OWNERSHIP, RELEASE, NULL, DATA)
  WRONG("rows", DENSE(-1, 2, values, real, 2, 1, copy, NULL, &data));
  WRONG("columns", DENSE(1, -2, values, real, 2, 1, copy, NULL, &data));
  WRONG("values", DENSE(1, 2, NULL, real, 2, 1, copy, NULL, &data));
  WRONG("values_type", DENSE(1, 2, values, i4, 2, 1, copy, NULL, &data));
  WRONG("row_stride", DENSE(1, 2, values, real, -2, 1, copy, NULL, &data));
  WRONG("column_stride", DENSE(1, 2, values, real, 2, -1, copy, NULL, &data));
  WRONG("ownership", DENSE(1, 2, values, real, 2, 1, ownership, NULL, &data));
  WRONG("release", DENSE(1, 2, values, real, 2, 1, copy, no_release, &data));
  WRONG("data", DENSE(1, 2, values, real, 2, 1, copy, NULL, NULL));
  assert_ptr_equal(data, untouched);

  /* Without entries the arrays need not exist. */
  const int64_t no_entries[3] = {0, 0, 0};
  OK(COUNTS(by_rows, 2, 2, no_entries, i8, NULL, i4, NULL, real, 0, copy, NULL, &data));
  vtemper_data_destroy(data);
}

static void test_data(void** state) {
  handles* made = *state;
  vtemper_data *first = untouched, *second = untouched;
  const char* name = untouched;
  const char* names[corpus_columns] = {"a", "b"};
  int64_t number = -7;
  double total = -7;
  vtemper_data_form form;
  const double weights[2] = {1, 1};
  const int64_t rows[2] = {0, corpus_rows};
  WRONG("path", vtemper_data_read(NULL, "auto", &first));
  WRONG("data", vtemper_data_read("/nonexistent", "auto", NULL));
  WRONG("data", vtemper_data_write(NULL, "/nonexistent"));
  WRONG("path", vtemper_data_write(made->data, NULL));
  WRONG("path", vtemper_data_convert(NULL, "auto", NULL, 0, "/nonexistent"));
  WRONG("out_path", vtemper_data_convert("/nonexistent", "auto", NULL, 0, NULL));
  WRONG("names", vtemper_data_convert("/nonexistent", "auto", NULL, 2, "/nonexistent"));
  WRONG("data", vtemper_data_verify(NULL));
  WRONG("data", vtemper_data_rows(NULL, &number));
  WRONG("rows", vtemper_data_rows(made->data, NULL));
  WRONG("data", vtemper_data_columns(NULL, &number));
  WRONG("columns", vtemper_data_columns(made->data, NULL));
  WRONG("data", vtemper_data_entries(NULL, &number));
  WRONG("entries", vtemper_data_entries(made->data, NULL));
  WRONG("data", vtemper_data_total(NULL, &total));
  WRONG("total", vtemper_data_total(made->data, NULL));
  WRONG("data", vtemper_data_form_of(NULL, &form));
  WRONG("form", vtemper_data_form_of(made->data, NULL));
  WRONG("data", vtemper_data_set_names(NULL, names, 2));
  WRONG("names", vtemper_data_set_names(made->data, NULL, corpus_columns));
  WRONG("names[2]", vtemper_data_set_names(made->data, names, corpus_columns));
  WRONG("count", vtemper_data_set_names(made->data, names, -1));
  WRONG("2", vtemper_data_set_names(made->data, names, 2));
  WRONG("data", vtemper_data_name(NULL, 0, &name));
  WRONG("name", vtemper_data_name(made->data, 0, NULL));
  WRONG("column", vtemper_data_name(made->data, -1, &name));
  WRONG("column", vtemper_data_name(made->data, corpus_columns, &name));
  WRONG("data", vtemper_data_align(NULL, names, 2, NULL, &first));
  WRONG("names", vtemper_data_align(made->data, NULL, 2, NULL, &first));
  WRONG("aligned", vtemper_data_align(made->data, names, 2, NULL, NULL));
  REFUSED(VTEMPER_ERROR_STATE, "names", vtemper_data_align(made->data, names, 2, &total, &first));
  WRONG("data", vtemper_data_set_weights(NULL, weights, 2));
  WRONG("weights", vtemper_data_set_weights(made->data, NULL, corpus_rows));
  WRONG("count", vtemper_data_set_weights(made->data, weights, -1));
  WRONG("2", vtemper_data_set_weights(made->data, weights, 2));
  double read_weights[] = {-7, -7};
  WRONG("data", vtemper_data_weights(NULL, read_weights, 2));
  WRONG("weights", vtemper_data_weights(made->data, NULL, corpus_rows));
  WRONG("count", vtemper_data_weights(made->data, read_weights, -1));
  WRONG("2", vtemper_data_weights(made->data, read_weights, 2));
  assert_true(read_weights[0] == -7 && read_weights[1] == -7);
  WRONG("data", vtemper_data_select(NULL, rows, 1, &first));
  WRONG("rows", vtemper_data_select(made->data, NULL, 1, &first));
  WRONG("count", vtemper_data_select(made->data, rows, -1, &first));
  WRONG("60", vtemper_data_select(made->data, rows, 2, &first));
  WRONG("selected", vtemper_data_select(made->data, rows, 1, NULL));
  WRONG("data", vtemper_data_split(NULL, 0.5, 1, &first, &second));
  WRONG("first", vtemper_data_split(made->data, 0.5, 1, NULL, &second));
  WRONG("second", vtemper_data_split(made->data, 0.5, 1, &first, NULL));
  WRONG("share", vtemper_data_split(made->data, 0, 1, &first, &second));
  WRONG("share", vtemper_data_split(made->data, 1, 1, &first, &second));
  WRONG("share", vtemper_data_split(made->data, total / 0.0 - total / 0.0, 1, &first, &second));
  WRONG("data", vtemper_data_split_counts(NULL, 0.5, 1, &first, &second));
  WRONG("observed", vtemper_data_split_counts(made->data, 0.5, 1, NULL, &second));
  WRONG("heldout", vtemper_data_split_counts(made->data, 0.5, 1, &first, NULL));
  WRONG("share", vtemper_data_split_counts(made->data, -1, 1, &first, &second));
  assert_ptr_equal(first, untouched);
  assert_ptr_equal(second, untouched);
  assert_ptr_equal(name, untouched);
  assert_int_equal(number, -7);
}

static void test_model(void** state) {
  handles* made = *state;
  vtemper_model* model = untouched;
  const char* text = untouched;
  int64_t number = -7, indices[3];
  int32_t count = -7;
  double out[corpus_rows * corpus_topics] = {0};
  const int64_t lambda = corpus_topics * corpus_columns, gamma = corpus_rows * corpus_topics;
  vtemper_quantity info = {.struct_size = sizeof info};
  WRONG("kind", vtemper_model_create(NULL, NULL, &model));
  WRONG("lda", vtemper_model_create("ldaa", NULL, &model));
  WRONG("model", vtemper_model_create("lda", NULL, NULL));
  WRONG("model", vtemper_model_copy(NULL, &model));
  WRONG("copy", vtemper_model_copy(made->model, NULL));
  WRONG("model", vtemper_model_option(NULL, "topics", &text));
  WRONG("name", vtemper_model_option(made->model, NULL, &text));
  WRONG("text", vtemper_model_option(made->model, "topics", NULL));
  REFUSED(VTEMPER_ERROR_OPTION, "topicz", vtemper_model_option(made->model, "topicz", &text));
  WRONG("model", vtemper_model_initialize(NULL, made->data, 1));
  WRONG("data", vtemper_model_initialize(made->model, NULL, 1));
  WRONG("model", vtemper_model_columns(NULL, &number));
  WRONG("columns", vtemper_model_columns(made->model, NULL));
  WRONG("model", vtemper_model_name(NULL, 0, &text));
  WRONG("name", vtemper_model_name(made->model, 0, NULL));
  WRONG("column", vtemper_model_name(made->model, corpus_columns, &text));
  WRONG("model", vtemper_model_parameter_count(NULL, &count));
  WRONG("count", vtemper_model_parameter_count(made->model, NULL));
  WRONG("model", vtemper_model_parameter_info(NULL, 0, &info));
  WRONG("info", vtemper_model_parameter_info(made->model, 0, NULL));
  WRONG("index", vtemper_model_parameter_info(made->model, -1, &info));
  WRONG("index", vtemper_model_parameter_info(made->model, 1000, &info));

  WRONG("model", vtemper_model_get(NULL, "lambda", out, lambda));
  WRONG("name", vtemper_model_get(made->model, NULL, out, lambda));
  WRONG("lambda", vtemper_model_get(made->model, "lamda", out, lambda));
  WRONG("out", vtemper_model_get(made->model, "lambda", NULL, lambda));
  WRONG("160", vtemper_model_get(made->model, "lambda", out, lambda - 1));
  WRONG("length", vtemper_model_get(made->model, "lambda", out, -1));
  WRONG("row_stride", vtemper_model_get_strided(made->model, "lambda", out, lambda, 0, 1));
  WRONG("column_stride", vtemper_model_get_strided(made->model, "lambda", out, lambda, 40, -1));
  WRONG("one place", vtemper_model_get_strided(made->model, "lambda", out, lambda, 1, 1));
  WRONG("row_stride", vtemper_model_get_strided(made->model, "lambda", out, lambda, INT64_MAX, 1));
  WRONG("model", vtemper_model_get_strided(NULL, "lambda", out, lambda, 40, 1));
  WRONG("model", vtemper_model_set(NULL, "lambda", out, lambda));
  WRONG("name", vtemper_model_set(made->model, NULL, out, lambda));
  WRONG("in", vtemper_model_set(made->model, "lambda", NULL, lambda));
  WRONG("length", vtemper_model_set(made->model, "lambda", out, 3));
  WRONG("read only", vtemper_model_set(made->model, "topics", out, lambda));
  REFUSED(VTEMPER_ERROR_DATA, "lambda", vtemper_model_set(made->model, "lambda", out, lambda));

  WRONG("model", vtemper_model_infer(NULL, made->data, "gamma", NULL, out, gamma));
  WRONG("data", vtemper_model_infer(made->model, NULL, "gamma", NULL, out, gamma));
  WRONG("quantity", vtemper_model_infer(made->model, made->data, NULL, NULL, out, gamma));
  WRONG("gamma", vtemper_model_infer(made->model, made->data, "gama", NULL, out, gamma));
  WRONG("out", vtemper_model_infer(made->model, made->data, "gamma", NULL, NULL, gamma));
  WRONG("240", vtemper_model_infer(made->model, made->data, "gamma", NULL, out, gamma + 1));
  REFUSED(VTEMPER_ERROR_OPTION, "topics",
          vtemper_model_infer(made->model, made->data, "gamma", made->options, out, gamma));
  WRONG("row_stride", vtemper_model_infer_strided(made->model, made->data, "gamma", NULL, out, gamma, 0, 1));
  WRONG("model", vtemper_model_evaluate(NULL, made->data, NULL, "elbo", NULL, out));
  WRONG("observed", vtemper_model_evaluate(made->model, NULL, NULL, "elbo", NULL, out));
  WRONG("measure", vtemper_model_evaluate(made->model, made->data, NULL, NULL, NULL, out));
  WRONG("elbow", vtemper_model_evaluate(made->model, made->data, NULL, "elbow", NULL, out));
  WRONG("out", vtemper_model_evaluate(made->model, made->data, NULL, "elbo", NULL, NULL));
  REFUSED(VTEMPER_ERROR_OPTION, "topics",
          vtemper_model_evaluate(made->model, made->data, NULL, "elbo", made->options, out));

  WRONG("model", vtemper_model_rank_words(NULL, 0, "lift", 3, indices, out));
  WRONG("topic", vtemper_model_rank_words(made->model, -1, "lift", 3, indices, out));
  WRONG("topic", vtemper_model_rank_words(made->model, corpus_topics, "lift", 3, indices, out));
  WRONG("how", vtemper_model_rank_words(made->model, 0, NULL, 3, indices, out));
  WRONG("best", vtemper_model_rank_words(made->model, 0, "best", 3, indices, out));
  WRONG("argument n ", vtemper_model_rank_words(made->model, 0, "lift", 0, indices, out));
  WRONG("argument n ", vtemper_model_rank_words(made->model, 0, "lift", corpus_columns + 1, indices, out));
  WRONG("indices", vtemper_model_rank_words(made->model, 0, "lift", 3, NULL, out));
  WRONG("frex", vtemper_model_rank_words(made->model, 0, "frex:2", 3, indices, out));
  WRONG("model", vtemper_model_topic_map(NULL, "distance", out, 2 * corpus_topics));
  WRONG("by", vtemper_model_topic_map(made->model, NULL, out, 2 * corpus_topics));
  WRONG("distence", vtemper_model_topic_map(made->model, "distence", out, 2 * corpus_topics));
  WRONG("places", vtemper_model_topic_map(made->model, "distance", NULL, 2 * corpus_topics));
  WRONG("length", vtemper_model_topic_map(made->model, "distance", out, corpus_topics));
  WRONG("model", vtemper_model_rank_all_words(NULL, "lift", 3, indices, out));
  WRONG("lfit", vtemper_model_rank_all_words(made->model, "lfit", 3, indices, out));
  WRONG("argument n ", vtemper_model_rank_all_words(made->model, "lift", -1, indices, out));
  WRONG("indices", vtemper_model_rank_all_words(made->model, "lift", 3, NULL, out));

  WRONG("model", vtemper_model_evaluate_topics(NULL, made->data, "exclusivity", NULL, out, corpus_topics));
  WRONG("needs data", vtemper_model_evaluate_topics(made->model, NULL, "coherence_npmi", NULL, out, corpus_topics));
  WRONG("measure", vtemper_model_evaluate_topics(made->model, made->data, NULL, NULL, out, corpus_topics));
  WRONG("elbo", vtemper_model_evaluate_topics(made->model, made->data, "elbo", NULL, out, corpus_topics));
  WRONG("out", vtemper_model_evaluate_topics(made->model, NULL, "exclusivity", NULL, NULL, corpus_topics));
  WRONG("length", vtemper_model_evaluate_topics(made->model, NULL, "exclusivity", NULL, out, corpus_topics + 1));

  WRONG("model", vtemper_model_save(NULL, "/nonexistent"));
  WRONG("path", vtemper_model_save(made->model, NULL));
  WRONG("path", vtemper_model_load(NULL, &model));
  WRONG("model", vtemper_model_load("/nonexistent", NULL));
  WRONG("model", vtemper_model_save_buffer(NULL, out, 8, &number));
  WRONG("size", vtemper_model_save_buffer(made->model, out, 8, NULL));
  assert_int_equal(number, -7);
  WRONG("capacity", vtemper_model_save_buffer(made->model, out, 8, &number));
  assert_true(number > 8);
  WRONG("buffer", vtemper_model_load_buffer(NULL, 8, &model));
  WRONG("size", vtemper_model_load_buffer(out, -8, &model));
  WRONG("model", vtemper_model_load_buffer(out, 8, NULL));
  REFUSED(VTEMPER_ERROR_FORMAT, "buffer", vtemper_model_load_buffer(out, 8, &model));
  REFUSED(VTEMPER_ERROR_FORMAT, "buffer", vtemper_model_load_buffer(out, 0, &model));
  assert_ptr_equal(model, untouched);
  assert_ptr_equal(text, untouched);
}

static void test_before_initialisation(void** state) {
  handles* made = *state;
  vtemper_model* model = lda_of(NULL);
  double out[1];
  int64_t indices[1], size;
  const char* name;
  REFUSED(VTEMPER_ERROR_STATE, "initialise", vtemper_model_get(model, "lambda", out, 1));
  REFUSED(VTEMPER_ERROR_STATE, "initialise", vtemper_model_set(model, "lambda", out, 1));
  REFUSED(VTEMPER_ERROR_STATE, "initialise", vtemper_model_infer(model, made->data, "gamma", NULL, out, 1));
  REFUSED(VTEMPER_ERROR_STATE, "initialise", vtemper_model_evaluate(model, made->data, NULL, "elbo", NULL, out));
  REFUSED(VTEMPER_ERROR_STATE, "initialise", vtemper_model_rank_words(model, 0, "lift", 1, indices, out));
  REFUSED(VTEMPER_ERROR_STATE, "initialise",
          vtemper_model_evaluate_topics(model, made->data, "exclusivity", NULL, out, 1));
  REFUSED(VTEMPER_ERROR_STATE, "initialise", vtemper_model_save(model, "/nonexistent"));
  REFUSED(VTEMPER_ERROR_STATE, "initialise", vtemper_model_save_buffer(model, NULL, 0, &size));
  OK(vtemper_model_columns(model, &size));
  assert_int_equal(size, 0);
  WRONG("column", vtemper_model_name(model, 0, &name));
  vtemper_model_destroy(model);
}

static void test_optimizer(void** state) {
  handles* made = *state;
  vtemper_optimizer* optimizer = untouched;
  vtemper_model* model = untouched;
  const char* text = untouched;
  int64_t number = -7;
  int32_t count = -7;
  double out[2] = {0, 0};
  vtemper_quantity info = {.struct_size = sizeof info};
  vtemper_report report = {.struct_size = sizeof report};
  WRONG("model", vtemper_optimizer_create(NULL, made->data, NULL, &optimizer));
  WRONG("optimizer", vtemper_optimizer_create(made->model, made->data, NULL, NULL));
  REFUSED(VTEMPER_ERROR_OPTION, "topics",
          vtemper_optimizer_create(made->model, made->data, made->options, &optimizer));
  WRONG("optimizer", vtemper_optimizer_model(NULL, &model));
  WRONG("model", vtemper_optimizer_model(made->optimizer, NULL));
  WRONG("optimizer", vtemper_optimizer_option(NULL, "method", &text));
  WRONG("name", vtemper_optimizer_option(made->optimizer, NULL, &text));
  WRONG("text", vtemper_optimizer_option(made->optimizer, "method", NULL));
  REFUSED(VTEMPER_ERROR_OPTION, "nothing", vtemper_optimizer_option(made->optimizer, "nothing", &text));
  WRONG("optimizer", vtemper_optimizer_step(NULL, 1, &report));
  WRONG("steps", vtemper_optimizer_step(made->optimizer, -1, &report));
  WRONG("optimizer", vtemper_optimizer_run(NULL, &report));
  WRONG("optimizer", vtemper_optimizer_feed(NULL, made->data, &report));
  WRONG("batch", vtemper_optimizer_feed(made->optimizer, NULL, &report));
  WRONG("optimizer", vtemper_optimizer_report(NULL, &report));
  WRONG("report", vtemper_optimizer_report(made->optimizer, NULL));
  WRONG("optimizer", vtemper_optimizer_set_monitor(NULL, NULL, NULL));
  WRONG("optimizer", vtemper_optimizer_set_messages(NULL, NULL, NULL));
  WRONG("optimizer", vtemper_optimizer_quantity_count(NULL, &count));
  WRONG("count", vtemper_optimizer_quantity_count(made->optimizer, NULL));
  WRONG("optimizer", vtemper_optimizer_quantity_info(NULL, 0, &info));
  WRONG("info", vtemper_optimizer_quantity_info(made->optimizer, 0, NULL));
  WRONG("index", vtemper_optimizer_quantity_info(made->optimizer, -1, &info));
  WRONG("index", vtemper_optimizer_quantity_info(made->optimizer, 1000, &info));
  WRONG("optimizer", vtemper_optimizer_get(NULL, "trace.iteration", out, 0));
  WRONG("name", vtemper_optimizer_get(made->optimizer, NULL, out, 0));
  WRONG("trace.iteration", vtemper_optimizer_get(made->optimizer, "trace.iterations", out, 0));
  WRONG("length", vtemper_optimizer_get(made->optimizer, "trace.iteration", out, 2));
  WRONG("row_stride", vtemper_optimizer_get_strided(made->optimizer, "trace.iteration", out, 0, 0, 1));
  WRONG("optimizer", vtemper_optimizer_set(NULL, "temperature.weights", out, 2));
  WRONG("name", vtemper_optimizer_set(made->optimizer, NULL, out, 2));
  WRONG("nothing", vtemper_optimizer_set(made->optimizer, "nothing", out, 2));
  WRONG("read only", vtemper_optimizer_set(made->optimizer, "trace.iteration", out, 0));
  WRONG("optimizer", vtemper_optimizer_statistics_length(NULL, &number));
  WRONG("length", vtemper_optimizer_statistics_length(made->optimizer, NULL));
  WRONG("optimizer", vtemper_optimizer_local_step(NULL, NULL, out, 2));
  WRONG("statistics", vtemper_optimizer_local_step(made->optimizer, NULL, NULL, 2));
  WRONG("length", vtemper_optimizer_local_step(made->optimizer, NULL, out, 2));
  WRONG("optimizer", vtemper_optimizer_global_step(NULL, out, 2, &report));
  WRONG("statistics", vtemper_optimizer_global_step(made->optimizer, NULL, 2, &report));
  WRONG("length", vtemper_optimizer_global_step(made->optimizer, out, 2, &report));
  WRONG("optimizer", vtemper_optimizer_save(NULL, "/nonexistent"));
  WRONG("path", vtemper_optimizer_save(made->optimizer, NULL));
  WRONG("path", vtemper_optimizer_load(NULL, made->data, &optimizer));
  WRONG("optimizer", vtemper_optimizer_load("/nonexistent", made->data, NULL));
  WRONG("path", vtemper_checkpoint_kind(NULL, &text));
  WRONG("kind", vtemper_checkpoint_kind("/nonexistent", NULL));
  REFUSED(VTEMPER_ERROR_IO, "/nonexistent", vtemper_checkpoint_kind("/nonexistent", &text));
  WRONG("optimizer", vtemper_optimizer_save_buffer(NULL, out, 2, &number));
  WRONG("size", vtemper_optimizer_save_buffer(made->optimizer, out, 2, NULL));
  WRONG("buffer", vtemper_optimizer_load_buffer(NULL, 2, made->data, &optimizer));
  WRONG("size", vtemper_optimizer_load_buffer(out, -2, made->data, &optimizer));
  WRONG("optimizer", vtemper_optimizer_load_buffer(out, 2, made->data, NULL));
  REFUSED(VTEMPER_ERROR_FORMAT, "buffer", vtemper_optimizer_load_buffer(out, 2, made->data, &optimizer));
  assert_ptr_equal(optimizer, untouched);
  assert_ptr_equal(model, untouched);
  assert_ptr_equal(text, untouched);
  assert_int_equal(number, -7);
  assert_int_equal(count, -7);
  assert_int_equal(report.iteration, 0);
}

/* A handle of the wrong kind. */
static void test_foreign_handles(void** state) {
  handles* made = *state;
  int64_t number;
  WRONG("data", vtemper_data_rows((const vtemper_data*)(const void*)made->model, &number));
  WRONG("model", vtemper_model_columns((const vtemper_model*)(const void*)made->data, &number));
  WRONG("optimizer", vtemper_optimizer_step((vtemper_optimizer*)(void*)made->options, 1, NULL));
  WRONG("options", vtemper_options_set((vtemper_options*)(void*)made->optimizer, "a", "b"));
  assert_null(vtemper_model_kind((const vtemper_model*)(const void*)made->data));
  vtemper_data_destroy((vtemper_data*)(void*)made->model);
  vtemper_model_destroy((vtemper_model*)(void*)made->optimizer);
  vtemper_optimizer_destroy((vtemper_optimizer*)(void*)made->data);
  vtemper_options_destroy((vtemper_options*)(void*)made->model);
  OK(vtemper_data_rows(made->data, &number));
  OK(vtemper_model_columns(made->model, &number));
}

/* Only failures write the last error. */
static void test_last_error_stays(void** state) {
  handles* made = *state;
  int64_t number;
  vtemper_model* model = NULL;
  WRONG("rows", vtemper_data_rows(made->data, NULL));
  char before[256];
  snprintf(before, sizeof before, "%s", vtemper_last_error());
  OK(vtemper_data_rows(made->data, &number));
  OK(vtemper_model_copy(made->model, &model));
  vtemper_model_destroy(model);
  vtemper_data_destroy(NULL);
  vtemper_model_destroy(NULL);
  vtemper_options_destroy(NULL);
  vtemper_optimizer_destroy(NULL);
  OK(vtemper_optimizer_step(made->optimizer, 1, NULL));
  (void)vtemper_version();
  (void)vtemper_build_info();
  (void)vtemper_model_kind_name(99);
  assert_string_equal(vtemper_last_error(), before);
}

static void* fail_elsewhere(void* state) {
  const int clear = vtemper_last_error()[0] == '\0';
  const int failed = vtemper_option_count(NULL, NULL) == VTEMPER_ERROR_ARGUMENT;
  const int written = strstr(vtemper_last_error(), "subject") != NULL;
  return clear && failed && written ? state : NULL;
}

static void test_last_error_is_the_threads(void** state) {
  handles* made = *state;
  pthread_t thread;
  WRONG("rows", vtemper_data_rows(made->data, NULL));
  assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, state), 0);
  void* result = NULL;
  pthread_join(thread, &result);
  assert_ptr_equal(result, state);
  assert_non_null(strstr(vtemper_last_error(), "rows"));
}

static void test_long_messages_are_cut(void** state) {
  (void)state;
  enum { length = 5000 };
  char* kind = malloc(length + 1);
  for (int i = 0; i < length; i += 2) memcpy(kind + i, "\xc3\xa9", 2); /* two bytes per character */
  kind[length] = '\0';
  int32_t count;
  WRONG("subject", vtemper_option_count(kind, &count));
  const char* text = vtemper_last_error();
  assert_true(strlen(text) <= 2047 && strlen(text) >= 2000);
  assert_int_equal((unsigned char)text[strlen(text) - 1], 0xa9); /* not cut within a character */
  free(kind);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_describing),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_data_from_arrays),
      cmocka_unit_test(test_data),
      cmocka_unit_test(test_model),
      cmocka_unit_test(test_before_initialisation),
      cmocka_unit_test(test_optimizer),
      cmocka_unit_test(test_foreign_handles),
      cmocka_unit_test(test_last_error_stays),
      cmocka_unit_test(test_last_error_is_the_threads),
      cmocka_unit_test(test_long_messages_are_cut),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
