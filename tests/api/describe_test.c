/* The tables that programs and bindings walk: kinds, options, parameters, quantities, versions. */
#include <ctype.h>
#include <math.h>

#include "fixtures.h"
#include "support/assert.h"

static void assert_plain_name(const char* name) {
  assert_non_null(name);
  assert_true(name[0] != '\0');
  for (const char* c = name; *c != '\0'; ++c) {
    if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '_' && *c != '.')
      fail_msg("name '%s'", name);
  }
}

static void check_options_of(const char* subject) {
  int32_t count = 0;
  OK(vtemper_option_count(subject, &count));
  assert_true(count > 0);
  for (int32_t i = 0; i < count; ++i) {
    vtemper_option info = {.struct_size = sizeof info};
    OK(vtemper_option_info(subject, i, &info));
    assert_plain_name(info.name);
    assert_true(info.type >= VTEMPER_OPTION_INTEGER && info.type <= VTEMPER_OPTION_TEXT);
    assert_non_null(info.default_text);
    assert_non_null(info.choices);
    assert_true(strlen(info.description) > 10);
    assert_int_equal(info.type == VTEMPER_OPTION_CHOICE, info.choices[0] != '\0');
    assert_true(info.minimum <= info.maximum);
    for (int32_t other = 0; other < i; ++other) {
      vtemper_option earlier = {.struct_size = sizeof earlier};
      OK(vtemper_option_info(subject, other, &earlier));
      assert_string_not_equal(earlier.name, info.name);
    }
  }
}

static void test_options(void** state) {
  (void)state;
  assert_true(vtemper_model_kind_count() >= 1);
  int lda = 0;
  for (int32_t kind = 0; kind < vtemper_model_kind_count(); ++kind) {
    lda |= strcmp(vtemper_model_kind_name(kind), "lda") == 0;
    assert_true(strlen(vtemper_model_kind_description(kind)) > 10);
    vtemper_data_form form = 0;
    OK(vtemper_model_kind_form(vtemper_model_kind_name(kind), &form));
    assert_true(form >= VTEMPER_COUNTS);
    check_options_of(vtemper_model_kind_name(kind));
  }
  assert_true(lda);
  check_options_of("optimizer");
  check_options_of("evaluate");
}

static void check_quantity(const vtemper_quantity* info) {
  assert_plain_name(info->name);
  assert_true(info->rank >= 0 && info->rank <= 2);
  for (int32_t d = info->rank; d < 4; ++d) assert_int_equal(info->shape[d], 1);
  assert_true(info->settable == 0 || info->settable == 1);
  assert_true(strlen(info->description) > 5);
}

static void test_parameters(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_model* model = lda_of(NULL);
  int32_t before = 0, count = 0;
  OK(vtemper_model_parameter_count(model, &before));
  for (int32_t i = 0; i < before; ++i) {
    vtemper_quantity info = {.struct_size = sizeof info};
    OK(vtemper_model_parameter_info(model, i, &info));
    check_quantity(&info);
  }
  OK(vtemper_model_initialize(model, data, 3));
  OK(vtemper_model_parameter_count(model, &count));
  assert_int_equal(count, before);
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity info = {.struct_size = sizeof info};
    OK(vtemper_model_parameter_info(model, i, &info));
    check_quantity(&info);
    int64_t length = 0;
    double* values = parameter_of(model, info.name, &length);
    /* What can be read can be written back if it is settable, and stays the same. */
    if (info.settable) {
      OK(vtemper_model_set(model, info.name, values, length));
      int64_t again = 0;
      double* read = parameter_of(model, info.name, &again);
      assert_int_equal(again, length);
      assert_memory_equal(values, read, (size_t)length * sizeof *values);
      free(read);
    } else {
      REFUSED(VTEMPER_ERROR_ARGUMENT, info.name, vtemper_model_set(model, info.name, values, length));
    }
    if (info.rank == 2) {
      /* Column-major through strides. */
      const int64_t rows = info.shape[0], columns = info.shape[1];
      double* turned = malloc((size_t)length * sizeof *turned);
      OK(vtemper_model_get_strided(model, info.name, turned, length, 1, rows));
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < columns; ++c) assert_true(turned[c * rows + r] == values[r * columns + c]);
      }
      free(turned);
    }
    free(values);
  }
  assert_string_equal(vtemper_model_kind(model), "lda");
  OK(vtemper_model_infer_count(model, data, &count));
  assert_true(count >= 1);
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity info = {.struct_size = sizeof info};
    OK(vtemper_model_infer_info(model, data, i, &info));
    check_quantity(&info);
    const int64_t length = info.shape[0] * info.shape[1];
    assert_int_equal(info.shape[0], corpus_rows);
    double* values = malloc((size_t)length * sizeof *values);
    OK(vtemper_model_infer(model, data, info.name, NULL, values, length));
    free(values);
  }
  vtemper_quantity beyond = {.struct_size = sizeof beyond};
  REFUSED(VTEMPER_ERROR_ARGUMENT, "index", vtemper_model_infer_info(model, data, count, &beyond));
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

static void test_quantities(void** state) {
  (void)state;
  const char* methods[] = {"vi", "svi", "annealing", "tempering", "local_tempering"};
  vtemper_data* data = corpus_data();
  for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
    vtemper_optimizer* optimizer = fit_of(data, options_of("method", methods[m], NULL));
    OK(vtemper_optimizer_step(optimizer, 3, NULL));
    int32_t count = 0, traces = 0;
    OK(vtemper_optimizer_quantity_count(optimizer, &count));
    for (int32_t i = 0; i < count; ++i) {
      vtemper_quantity info = {.struct_size = sizeof info};
      OK(vtemper_optimizer_quantity_info(optimizer, i, &info));
      check_quantity(&info);
      traces += strncmp(info.name, "trace.", 6) == 0;
      int64_t length = 1;
      for (int d = 0; d < 4; ++d) length *= info.shape[d];
      double* values = malloc((size_t)(length + 1) * sizeof *values);
      values[length] = 7;
      OK(vtemper_optimizer_get(optimizer, info.name, values, length));
      assert_true(values[length] == 7);
      if (info.settable) OK(vtemper_optimizer_set(optimizer, info.name, values, length));
      free(values);
    }
    assert_true(traces >= 2);
    vtemper_optimizer_destroy(optimizer);
  }
  vtemper_data_destroy(data);
}

static void test_names(void** state) {
  (void)state;
  vtemper_data *data = corpus_data(), *aligned = NULL;
  char texts[corpus_columns][16];
  const char *names[corpus_columns], *name = NULL;
  for (int i = 0; i < corpus_columns; ++i) {
    snprintf(texts[i], sizeof texts[i], "w%d", i);
    names[i] = texts[i];
  }
  OK(vtemper_data_name(data, 3, &name));
  assert_string_equal(name, "");
  OK(vtemper_data_set_names(data, names, corpus_columns));
  OK(vtemper_data_name(data, 3, &name));
  assert_string_equal(name, "w3");
  names[5] = "w4";
  REFUSED(VTEMPER_ERROR_DATA, "w4", vtemper_data_set_names(data, names, corpus_columns));
  OK(vtemper_data_name(data, 5, &name));
  assert_string_equal(name, "w5");

  vtemper_model* model = lda_of(NULL);
  OK(vtemper_model_initialize(model, data, 1));
  vtemper_data_destroy(data);
  OK(vtemper_model_name(model, 39, &name));
  assert_string_equal(name, "w39");
  vtemper_model_destroy(model);

  data = corpus_data();
  names[5] = texts[5];
  OK(vtemper_data_set_names(data, names, corpus_columns));
  double unknown = -1, total = 0, kept = 0;
  OK(vtemper_data_align(data, names, 10, &unknown, &aligned));
  OK(vtemper_data_total(data, &total));
  OK(vtemper_data_total(aligned, &kept));
  assert_true(unknown > 0 && unknown + kept == total);
  vtemper_data_destroy(aligned);
  OK(vtemper_data_align(data, names, 10, NULL, &aligned));
  vtemper_data_destroy(aligned);
  vtemper_data_destroy(data);
}

static void test_ranked_words(void** state) {
  (void)state;
  enum { order_count = 8 };
  const char* orders[order_count] = {"probability",    "lift",      "relevance", "frex",
                                     "relevance:0.25", "frex:0.75", "label",     "label:0.8"};
  vtemper_data* data = corpus_data();
  vtemper_optimizer* optimizer = fit_of(data, options_of("method", "vi", NULL));
  vtemper_model* model = NULL;
  OK(vtemper_optimizer_step(optimizer, 20, NULL));
  OK(vtemper_optimizer_model(optimizer, &model));
  for (size_t order = 0; order < order_count; ++order) {
    int64_t best[corpus_columns], again[5], all[corpus_topics * 5];
    double scores[corpus_columns];
    int seen[corpus_columns] = {0};
    OK(vtemper_model_rank_words(model, 1, orders[order], corpus_columns, best, scores));
    OK(vtemper_model_rank_words(model, 1, orders[order], 5, again, NULL));
    assert_memory_equal(best, again, sizeof again);
    OK(vtemper_model_rank_all_words(model, orders[order], 5, all, NULL));
    assert_memory_equal(all + 5, again, sizeof again);
    for (int i = 0; i < corpus_columns; ++i) {
      assert_true(best[i] >= 0 && best[i] < corpus_columns && !seen[best[i]]);
      seen[best[i]] = 1;
      if (i > 0) assert_true(scores[i] <= scores[i - 1]);
    }
  }
  vtemper_model_destroy(model);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
}

static void test_topic_quality(void** state) {
  (void)state;
  const char* measures[] = {"coherence_umass", "coherence_npmi", "topic_diversity", "exclusivity"};
  vtemper_data* data = corpus_data();
  vtemper_optimizer* optimizer = fit_of(data, options_of("method", "vi", NULL));
  vtemper_model* model = NULL;
  OK(vtemper_optimizer_step(optimizer, 20, NULL));
  OK(vtemper_optimizer_model(optimizer, &model));
  for (int i = 0; i < 4; ++i) {
    double scores[corpus_topics], mean = 0, sum = 0;
    OK(vtemper_model_evaluate_topics(model, i < 2 ? data : NULL, measures[i], NULL, scores, corpus_topics));
    OK(vtemper_model_evaluate(model, i < 2 ? data : NULL, NULL, measures[i], NULL, &mean));
    for (int k = 0; k < corpus_topics; ++k) sum += scores[k];
    assert_close(mean, sum / corpus_topics, 1e-12);
  }
  double tokens[corpus_topics], total = 0, expected;
  OK(vtemper_model_get(model, "tokens", tokens, corpus_topics));
  OK(vtemper_data_total(data, &expected));
  for (int k = 0; k < corpus_topics; ++k) total += tokens[k];
  assert_close(total, expected, 1e-3 * expected);
  vtemper_model_destroy(model);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
}

static void test_versions(void** state) {
  (void)state;
  char expected[64];
  snprintf(expected, sizeof expected, "%d.%d.%d", VTEMPER_VERSION_MAJOR, VTEMPER_VERSION_MINOR,
           VTEMPER_VERSION_PATCH);
  assert_string_equal(vtemper_version(), expected);
  assert_int_equal(vtemper_version_number(), VTEMPER_VERSION_NUMBER);
  const char* info = vtemper_build_info();
  assert_ptr_equal(info, vtemper_build_info());
  assert_non_null(strstr(info, expected));
  assert_non_null(strstr(info, "instruction set "));
  assert_non_null(strstr(info, "scalar)"));
  assert_null(strstr(info, "OpenMP"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_options),  cmocka_unit_test(test_parameters),   cmocka_unit_test(test_quantities),
      cmocka_unit_test(test_names),    cmocka_unit_test(test_ranked_words), cmocka_unit_test(test_topic_quality),
      cmocka_unit_test(test_versions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
