/* Models and checkpoints on disk and in memory: they come back exactly, and damaged ones are refused. */
#include <math.h>
#include <unistd.h>

#include "fixtures.h"
#include "support/valgrind.h"

static const char* const methods[] = {"vi", "svi", "annealing", "tempering", "local_tempering"};
enum { method_count = 5 };

static char folder[] = "/tmp/vtemper-storage-XXXXXX";

static int make_folder(void** state) {
  (void)state;
  return mkdtemp(folder) == NULL;
}

static int remove_folder(void** state) {
  (void)state;
  return rmdir(folder);
}

static void path_in_folder(char* path, size_t size, const char* name) {
  snprintf(path, size, "%s/%s", folder, name);
}

/** A fitted model whose words have names. */
static vtemper_model* fitted_model(void) {
  char texts[corpus_columns][24];
  const char* names[corpus_columns];
  vtemper_data* data = corpus_data();
  vtemper_model* model = NULL;
  for (int i = 0; i < corpus_columns; ++i) {
    snprintf(texts[i], sizeof texts[i], "w\xc3\xb6rt %d", i);
    names[i] = texts[i];
  }
  OK(vtemper_data_set_names(data, names, corpus_columns));
  vtemper_optimizer* optimizer = fit_of(data, options_of("method", "vi", NULL));
  OK(vtemper_optimizer_step(optimizer, 3, NULL));
  OK(vtemper_optimizer_model(optimizer, &model));
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
  return model;
}

static void assert_same_model(const vtemper_model* a, const vtemper_model* b) {
  const char *first = NULL, *second = NULL;
  const topics topics_a = model_topics(a), topics_b = model_topics(b);
  assert_same_bits(&topics_a, &topics_b);
  assert_string_equal(vtemper_model_kind(a), vtemper_model_kind(b));
  for (int i = 0; i < corpus_columns; ++i) {
    OK(vtemper_model_name(a, i, &first));
    OK(vtemper_model_name(b, i, &second));
    assert_string_equal(first, second);
  }
  int32_t count = 0;
  OK(vtemper_option_count("lda", &count));
  for (int32_t i = 0; i < count; ++i) {
    vtemper_option info = {.struct_size = sizeof info};
    OK(vtemper_option_info("lda", i, &info));
    OK(vtemper_model_option(a, info.name, &first));
    OK(vtemper_model_option(b, info.name, &second));
    assert_string_equal(first, second);
  }
}

/** Notes of any length are kept in copies, files and buffers, and do not change the model. */
static void test_notes(void** state) {
  (void)state;
  enum { length = 5000 };
  char long_note[length + 1];
  memset(long_note, 'n', length);
  long_note[length] = '\0';
  int64_t size = 0;
  int32_t count = -1;
  const char* text = NULL;
  vtemper_model *model = fitted_model(), *copy = NULL, *loaded = NULL;
  OK(vtemper_model_set_note(model, "fit.method", "svi"));
  OK(vtemper_model_set_note(model, "fit.method", "w\xc3\xb6rt, \"quoted\"\n"));
  OK(vtemper_model_set_note(model, "trace", long_note));
  OK(vtemper_model_set_note(model, "gone", "x"));
  OK(vtemper_model_set_note(model, "gone", NULL));
  OK(vtemper_model_set_note(model, "never there", NULL));
  OK(vtemper_model_copy(model, &copy));
  char* bytes = model_bytes_of(model, &size);
  OK(vtemper_model_load_buffer(bytes, size, &loaded));
  vtemper_model* const all[] = {model, copy, loaded};
  for (int i = 0; i < 3; ++i) {
    OK(vtemper_model_note_count(all[i], &count));
    assert_int_equal(count, 2);
    OK(vtemper_model_note_name(all[i], 0, &text));
    assert_string_equal(text, "fit.method");
    OK(vtemper_model_note_name(all[i], 1, &text));
    assert_string_equal(text, "trace");
    OK(vtemper_model_note(all[i], "trace", &text));
    assert_string_equal(text, long_note);
    OK(vtemper_model_note(all[i], "fit.method", &text));
    assert_string_equal(text, "w\xc3\xb6rt, \"quoted\"\n");
    OK(vtemper_model_note(all[i], "gone", &text));
    assert_string_equal(text, "");
  }
  assert_same_model(model, loaded);
  REFUSED(VTEMPER_ERROR_ARGUMENT, "name", vtemper_model_set_note(model, "", "x"));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "UTF-8", vtemper_model_set_note(model, "note", "\xff"));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "index", vtemper_model_note_name(model, 2, &text));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "model", vtemper_model_set_note(NULL, "note", "x"));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "text", vtemper_model_note(model, "note", NULL));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "count", vtemper_model_note_count(model, NULL));
  free(bytes);
  vtemper_model_destroy(loaded);
  vtemper_model_destroy(copy);
  vtemper_model_destroy(model);
}

static void test_model(void** state) {
  (void)state;
  char path[128];
  int64_t size = 0, again = 0;
  vtemper_model *model = fitted_model(), *from_file = NULL, *from_buffer = NULL;
  path_in_folder(path, sizeof path, "model");
  OK(vtemper_model_save(model, path));
  OK(vtemper_model_load(path, &from_file));
  char* bytes = model_bytes_of(model, &size);
  OK(vtemper_model_load_buffer(bytes, size, &from_buffer));
  assert_same_model(model, from_file);
  assert_same_model(model, from_buffer);

  /* The file is the buffer, byte for byte, and a loaded model saves to the same bytes. */
  char* in_file = malloc((size_t)size + 1);
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fread(in_file, 1, (size_t)size + 1, file), size);
  fclose(file);
  assert_memory_equal(in_file, bytes, (size_t)size);
  char* saved_again = model_bytes_of(from_buffer, &again);
  assert_int_equal(again, size);
  assert_memory_equal(saved_again, bytes, (size_t)size);

  /* The bytes need no alignment. */
  for (int shift = 1; shift < 8; ++shift) {
    char* shifted = malloc((size_t)size + 8);
    vtemper_model* anywhere = NULL;
    memcpy(shifted + shift, bytes, (size_t)size);
    OK(vtemper_model_load_buffer(shifted + shift, size, &anywhere));
    assert_same_model(model, anywhere);
    vtemper_model_destroy(anywhere);
    free(shifted);
  }

  /* A file that exists is replaced. */
  OK(vtemper_model_save(model, path));
  assert_int_equal(unlink(path), 0);
  REFUSED(VTEMPER_ERROR_IO, "model", vtemper_model_load(path, &from_file));
  REFUSED(VTEMPER_ERROR_IO, folder, vtemper_model_load(folder, &from_file));

  /* The buffer may be freed: the loaded model does not point into it. */
  memset(bytes, 0x7f, (size_t)size);
  free(bytes);
  assert_same_model(model, from_buffer);
  free(in_file);
  free(saved_again);
  vtemper_model_destroy(model);
  vtemper_model_destroy(from_file);
  vtemper_model_destroy(from_buffer);
}

static vtemper_options* options_for(const char* method) {
  vtemper_options* options =
      options_of("method", method, "seed", "5", "max_iterations", "30", "report_every", "2", NULL);
  if (strcmp(method, "vi") != 0) OK(vtemper_options_set(options, "batch_size", "16"));
  return options;
}

static void assert_same_number(double a, double b) {
  assert_true(a == b || (isnan(a) && isnan(b)));
}

static void assert_same_report(const vtemper_report* a, const vtemper_report* b) {
  assert_int_equal(a->iteration, b->iteration);
  assert_int_equal(a->rows_seen, b->rows_seen);
  assert_same_number(a->passes, b->passes);
  assert_same_number(a->elbo, b->elbo);
  assert_same_number(a->objective, b->objective);
  assert_same_number(a->expected_log_likelihood, b->expected_log_likelihood);
  assert_same_number(a->temperature, b->temperature);
  assert_same_number(a->step_size, b->step_size);
  assert_same_number(a->change, b->change);
  assert_int_equal(a->converged, b->converged);
  assert_int_equal(a->finished, b->finished);
  assert_int_equal(a->objective_falls, b->objective_falls);
  assert_int_equal(a->empty_rows, b->empty_rows);
  assert_int_equal(a->unused_components, b->unused_components);
}

static void assert_same_quantities(const vtemper_optimizer* a, const vtemper_optimizer* b) {
  int32_t count = 0;
  OK(vtemper_optimizer_quantity_count(a, &count));
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity info = {.struct_size = sizeof info}, other = {.struct_size = sizeof other};
    OK(vtemper_optimizer_quantity_info(a, i, &info));
    OK(vtemper_optimizer_quantity_info(b, i, &other));
    assert_string_equal(info.name, other.name);
    assert_memory_equal(info.shape, other.shape, sizeof info.shape);
    if (strcmp(info.name, "trace.seconds") == 0) continue;
    const int64_t length = info.shape[0] * info.shape[1];
    double *first = malloc((size_t)(length + 1) * sizeof *first),
           *second = malloc((size_t)(length + 1) * sizeof *second);
    OK(vtemper_optimizer_get(a, info.name, first, length));
    OK(vtemper_optimizer_get(b, info.name, second, length));
    for (int64_t j = 0; j < length; ++j) assert_same_number(first[j], second[j]);
    free(first);
    free(second);
  }
}

/* Interrupted after any number of steps (0: before the first) and resumed, a run continues bit for bit. */
static void test_resume(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  for (int m = 0; m < method_count; ++m) {
    for (int interrupted = 0; interrupted <= 21; interrupted += under_valgrind() ? 14 : 7) {
      vtemper_optimizer *straight = fit_of(data, options_for(methods[m])), *resumed = NULL;
      int64_t size = 0;
      OK(vtemper_optimizer_step(straight, interrupted, NULL));
      char* bytes = checkpoint_of(straight, &size);
      OK(vtemper_optimizer_load_buffer(bytes, size, data, &resumed));
      free(bytes);
      const topics before = optimizer_topics(straight), loaded = optimizer_topics(resumed);
      assert_same_bits(&before, &loaded);
      assert_same_quantities(straight, resumed);
      OK(vtemper_optimizer_step(straight, 25 - interrupted, NULL));
      OK(vtemper_optimizer_step(resumed, 25 - interrupted, NULL));
      const topics a = optimizer_topics(straight), b = optimizer_topics(resumed);
      assert_same_bits(&a, &b);
      const vtemper_report report_a = report_of(straight), report_b = report_of(resumed);
      assert_same_report(&report_a, &report_b);
      assert_same_quantities(straight, resumed);
      vtemper_optimizer_destroy(straight);
      vtemper_optimizer_destroy(resumed);
    }
  }
  vtemper_data_destroy(data);
}

static void test_checkpoint_file(void** state) {
  (void)state;
  char path[128];
  vtemper_data *data = corpus_data(), *fewer = corpus_slice(0, 30);
  vtemper_optimizer *saved = fit_of(data, options_for("svi")), *loaded = NULL;
  path_in_folder(path, sizeof path, "checkpoint");
  OK(vtemper_optimizer_step(saved, 4, NULL));
  OK(vtemper_optimizer_save(saved, path));
  const char* kind = NULL;
  OK(vtemper_checkpoint_kind(path, &kind));
  assert_string_equal(kind, "lda");
  OK(vtemper_optimizer_load(path, data, &loaded));
  OK(vtemper_optimizer_run(saved, NULL));
  OK(vtemper_optimizer_run(loaded, NULL));
  const topics a = optimizer_topics(saved), b = optimizer_topics(loaded);
  assert_same_bits(&a, &b);
  vtemper_optimizer_destroy(loaded);

  loaded = NULL;
  REFUSED(VTEMPER_ERROR_DATA, "30", vtemper_optimizer_load(path, fewer, &loaded));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "data", vtemper_optimizer_load(path, NULL, &loaded));
  assert_null(loaded);
  vtemper_model* model = NULL;
  REFUSED(VTEMPER_ERROR_FORMAT, path, vtemper_model_load(path, &model));
  assert_null(model);
  OK(vtemper_optimizer_model(saved, &model));
  OK(vtemper_model_save(model, path));
  vtemper_model_destroy(model);
  kind = NULL;
  REFUSED(VTEMPER_ERROR_FORMAT, "vtemper.model", vtemper_checkpoint_kind(path, &kind));
  assert_null(kind);
  assert_int_equal(unlink(path), 0);
  vtemper_optimizer_destroy(saved);
  vtemper_data_destroy(data);
  vtemper_data_destroy(fewer);
}

/* Options of the checkpoint that have no meaning for fewer rows do not hide that there are fewer. */
static void test_checkpoint_of_more_rows(void** state) {
  (void)state;
  int64_t size = 0;
  vtemper_data *data = corpus_data(), *fewer = corpus_slice(0, 5);
  vtemper_options* options = options_for("annealing");
  OK(vtemper_options_set(options, "step_size_delay", "4"));
  vtemper_optimizer *saved = fit_of(data, options), *loaded = NULL;
  OK(vtemper_optimizer_step(saved, 4, NULL));
  char* bytes = checkpoint_of(saved, &size);
  REFUSED(VTEMPER_ERROR_DATA, "these are 5", vtemper_optimizer_load_buffer(bytes, size, fewer, &loaded));
  assert_null(loaded);
  free(bytes);
  vtemper_optimizer_destroy(saved);
  vtemper_data_destroy(data);
  vtemper_data_destroy(fewer);
}

/* As many rows, but not the same ones: in another order, with other counts, with weights. */
static void test_checkpoint_of_other_rows(void** state) {
  (void)state;
  int64_t size = 0, order[corpus_rows];
  vtemper_data *data = corpus_data(), *reversed = NULL, *weighted = corpus_data();
  double weights[corpus_rows];
  for (int64_t i = 0; i < corpus_rows; ++i) {
    order[i] = corpus_rows - 1 - i;
    weights[i] = 2;
  }
  OK(vtemper_data_select(data, order, corpus_rows, &reversed));
  OK(vtemper_data_set_weights(weighted, weights, corpus_rows));
  vtemper_optimizer *saved = fit_of(data, options_for("svi")), *loaded = NULL;
  OK(vtemper_optimizer_step(saved, 4, NULL));
  char* bytes = checkpoint_of(saved, &size);
  REFUSED(VTEMPER_ERROR_DATA, "other rows", vtemper_optimizer_load_buffer(bytes, size, reversed, &loaded));
  REFUSED(VTEMPER_ERROR_DATA, "other weights", vtemper_optimizer_load_buffer(bytes, size, weighted, &loaded));
  assert_null(loaded);
  OK(vtemper_optimizer_load_buffer(bytes, size, data, &loaded));
  free(bytes);
  vtemper_optimizer_destroy(saved);
  vtemper_optimizer_destroy(loaded);
  vtemper_data_destroy(data);
  vtemper_data_destroy(reversed);
  vtemper_data_destroy(weighted);
}

/* A run whose rows were fed goes on with fed rows only: its steps count those, so data of its own would mean another
 * number of passes. */
static void test_checkpoint_of_fed_rows(void** state) {
  (void)state;
  int64_t size = 0;
  vtemper_data *data = corpus_data(), *batch = corpus_slice(0, 20);
  vtemper_model* model = lda_of(options_of("topics", "4", NULL));
  vtemper_options* options = options_of("method", "svi", "step_size", "robbins_monro", "max_passes", "4", NULL);
  vtemper_optimizer *saved = NULL, *loaded = NULL, *fed = NULL;
  OK(vtemper_options_set_integer(options, "rows_total", corpus_rows));
  OK(vtemper_model_initialize(model, data, 1));
  OK(vtemper_optimizer_create(model, NULL, options, &saved));
  OK(vtemper_optimizer_feed(saved, batch, NULL));
  char* bytes = checkpoint_of(saved, &size);
  REFUSED(VTEMPER_ERROR_ARGUMENT, "rows were fed", vtemper_optimizer_load_buffer(bytes, size, data, &loaded));
  assert_null(loaded);
  OK(vtemper_optimizer_load_buffer(bytes, size, NULL, &fed));
  OK(vtemper_optimizer_feed(fed, batch, NULL));
  OK(vtemper_optimizer_feed(saved, batch, NULL));
  const topics a = optimizer_topics(saved), b = optimizer_topics(fed);
  assert_same_bits(&a, &b);
  free(bytes);
  vtemper_options_destroy(options);
  vtemper_optimizer_destroy(saved);
  vtemper_optimizer_destroy(fed);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
  vtemper_data_destroy(batch);
}

static void test_foreign(void** state) {
  (void)state;
  int64_t size = 0;
  vtemper_data* data = corpus_data();
  vtemper_model *model = fitted_model(), *loaded = NULL;
  vtemper_optimizer *optimizer = optimizer_of(model, data, options_for("svi")), *resumed = NULL;
  char* bytes = model_bytes_of(model, &size);
  REFUSED(VTEMPER_ERROR_FORMAT, "vtemper.model", vtemper_optimizer_load_buffer(bytes, size, data, &resumed));
  free(bytes);
  bytes = checkpoint_of(optimizer, &size);
  REFUSED(VTEMPER_ERROR_FORMAT, "vtemper.checkpoint", vtemper_model_load_buffer(bytes, size, &loaded));
  free(bytes);
  const char text[] = "a plain text that is longer than eight bytes and no container at all";
  REFUSED(VTEMPER_ERROR_FORMAT, "buffer", vtemper_model_load_buffer(text, sizeof text, &loaded));
  char huge[64] = {0};
  memset(huge, 0xff, 8);
  REFUSED(VTEMPER_ERROR_FORMAT, "buffer", vtemper_model_load_buffer(huge, sizeof huge, &loaded));
  assert_null(loaded);
  assert_null(resumed);
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

static vtemper_status load_bytes(const char* bytes, int64_t size, const vtemper_data* data) {
  vtemper_model* model = NULL;
  vtemper_optimizer* optimizer = NULL;
  /* A copy of exactly that size, for the sanitizer. */
  char* copy = malloc((size_t)size + (size == 0));
  memcpy(copy, bytes, (size_t)size);
  const vtemper_status status = data == NULL ? vtemper_model_load_buffer(copy, size, &model)
                                             : vtemper_optimizer_load_buffer(copy, size, data, &optimizer);
  assert_int_equal(status == VTEMPER_OK, model != NULL || optimizer != NULL);
  vtemper_model_destroy(model);
  vtemper_optimizer_destroy(optimizer);
  free(copy);
  return status;
}

/* Every prefix, every flipped bit (one in each byte) and every longer file is refused. Under valgrind only some are
 * tried. */
static void check_damage(char* bytes, int64_t size, const vtemper_data* data) {
  const int64_t step = under_valgrind() ? 61 : 1;
  assert_int_equal(load_bytes(bytes, size, data), VTEMPER_OK);
  for (int64_t length = 0; length < size; length += step) {
    if (load_bytes(bytes, length, data) != VTEMPER_ERROR_FORMAT) {
      fail_msg("the first %d of %d bytes: %s", (int)length, (int)size, vtemper_last_error());
    }
  }
  for (int64_t i = 0; i < size; i += step) {
    const char bit = (char)(1u << (i % 8));
    bytes[i] ^= bit;
    const vtemper_status status = load_bytes(bytes, size, data);
    if (status != VTEMPER_ERROR_FORMAT) {
      fail_msg("bit %d of byte %d of %d flipped: %s", (int)(i % 8), (int)i, (int)size, vtemper_status_name(status));
    }
    bytes[i] ^= bit;
  }
  char* longer = calloc(1, (size_t)size + 64);
  memcpy(longer, bytes, (size_t)size);
  assert_int_equal(load_bytes(longer, size + 1, data), VTEMPER_ERROR_FORMAT);
  assert_int_equal(load_bytes(longer, size + 64, data), VTEMPER_ERROR_FORMAT);
  free(longer);
}

static void test_damage(void** state) {
  (void)state;
  const int64_t offsets[4] = {0, 2, 3, 4};
  const int32_t indices[4] = {0, 2, 1, 0};
  const double values[4] = {2, 1, 1, 3};
  int64_t size = 0;
  vtemper_data* data = NULL;
  OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, 3, 3, offsets, VTEMPER_INT64, indices, VTEMPER_INT32, values,
                              VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &data));
  vtemper_model* model = lda_of(options_of("topics", "2", NULL));
  vtemper_optimizer* optimizer = optimizer_of(
      model, data, options_of("method", "tempering", "batch_size", "2", "temperature_grid_size", "4", NULL));
  OK(vtemper_optimizer_step(optimizer, 2, NULL));
  char* bytes = model_bytes_of(model, &size);
  check_damage(bytes, size, NULL);
  free(bytes);
  bytes = checkpoint_of(optimizer, &size);
  check_damage(bytes, size, data);
  free(bytes);
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

static void test_small_buffer(void** state) {
  (void)state;
  int64_t needed = 0, size = 0;
  vtemper_model* model = fitted_model();
  OK(vtemper_model_save_buffer(model, NULL, 0, &needed));
  char* bytes = malloc((size_t)needed + 8);
  memset(bytes, 0x5a, (size_t)needed + 8);
  REFUSED(VTEMPER_ERROR_ARGUMENT, "capacity", vtemper_model_save_buffer(model, bytes, needed - 1, &size));
  assert_int_equal(size, needed);
  assert_int_equal(bytes[0], 0x5a);
  REFUSED(VTEMPER_ERROR_ARGUMENT, "capacity", vtemper_model_save_buffer(model, bytes, -1, &size));
  OK(vtemper_model_save_buffer(model, bytes, needed + 8, &size));
  assert_int_equal(size, needed);
  assert_int_equal(bytes[needed], 0x5a);
  free(bytes);
  vtemper_model_destroy(model);
}

/* The mapped corpus: the same fit from it, and a flipped bit found by verify. */
static void test_mapped_data(void** state) {
  (void)state;
  char path[128];
  vtemper_data *data = corpus_data(), *mapped = NULL;
  path_in_folder(path, sizeof path, "corpus");
  OK(vtemper_data_write(data, path));
  OK(vtemper_data_read(path, NULL, &mapped));
  OK(vtemper_data_verify(mapped));
  OK(vtemper_data_verify(data));
  vtemper_optimizer *first = fit_of(data, options_for("svi")), *second = fit_of(mapped, options_for("svi"));
  OK(vtemper_optimizer_run(first, NULL));
  OK(vtemper_optimizer_run(second, NULL));
  const topics a = optimizer_topics(first), b = optimizer_topics(second);
  assert_same_bits(&a, &b);
  vtemper_optimizer_destroy(first);
  vtemper_optimizer_destroy(second);
  vtemper_data_destroy(mapped);

  FILE* file = fopen(path, "r+b");
  assert_non_null(file);
  assert_int_equal(fseek(file, -1, SEEK_END), 0);
  const int last = fgetc(file);
  assert_int_equal(fseek(file, -1, SEEK_END), 0);
  fputc(last ^ 1, file);
  fclose(file);
  mapped = NULL;
  if (vtemper_data_read(path, "mapped", &mapped) == VTEMPER_OK) {
    REFUSED(VTEMPER_ERROR_FORMAT, path, vtemper_data_verify(mapped));
  }
  vtemper_data_destroy(mapped);
  assert_int_equal(unlink(path), 0);
  vtemper_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_model),
      cmocka_unit_test(test_notes),
      cmocka_unit_test(test_resume),
      cmocka_unit_test(test_checkpoint_file),
      cmocka_unit_test(test_checkpoint_of_more_rows),
      cmocka_unit_test(test_checkpoint_of_other_rows),
      cmocka_unit_test(test_checkpoint_of_fed_rows),
      cmocka_unit_test(test_foreign),
      cmocka_unit_test(test_damage),
      cmocka_unit_test(test_small_buffer),
      cmocka_unit_test(test_mapped_data),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
