/* Option sets, and every option of every table at its default, its limits and beyond them. */
#include <math.h>
#include <stdlib.h>

#include "fixtures.h"

static void test_read_back(void** state) {
  (void)state;
  vtemper_options *options = options_of("a", "1", "b", "two", NULL), *copy = NULL;
  const char* text = NULL;
  OK(vtemper_options_set_integer(options, "a", INT64_MIN));
  OK(vtemper_options_get_text(options, "a", &text));
  assert_string_equal(text, "-9223372036854775808");
  OK(vtemper_options_set_real(options, "c", 0.1));
  OK(vtemper_options_get_text(options, "c", &text));
  assert_string_equal(text, "0.1");
  OK(vtemper_options_set_reals(options, "d", (const double[]){1.5, -2, 1e-300}, 3));
  OK(vtemper_options_get_text(options, "d", &text));
  assert_string_equal(text, "1.5,-2,1e-300");
  OK(vtemper_options_set_text(options, "e", "caf\xc3\xa9"));
  OK(vtemper_options_copy(options, &copy));
  OK(vtemper_options_set(options, "b", "changed"));
  OK(vtemper_options_get_text(copy, "b", &text));
  assert_string_equal(text, "two");
  vtemper_options_destroy(options);
  OK(vtemper_options_get_text(copy, "e", &text));
  assert_string_equal(text, "caf\xc3\xa9");
  vtemper_options_destroy(copy);
}

static void test_unknown_names(void** state) {
  (void)state;
  vtemper_model* model = NULL;
  vtemper_optimizer* optimizer = NULL;
  vtemper_options* options = options_of("topic", "5", NULL);
  REFUSED(VTEMPER_ERROR_OPTION, "topics", vtemper_model_create("lda", options, &model));
  vtemper_options_destroy(options);
  options = options_of("topics", "five", NULL);
  REFUSED(VTEMPER_ERROR_OPTION, "five", vtemper_model_create("lda", options, &model));
  vtemper_options_destroy(options);
  assert_null(model);

  vtemper_data* data = corpus_data();
  model = lda_of(NULL);
  options = options_of("batchsize", "5", NULL);
  REFUSED(VTEMPER_ERROR_OPTION, "batch_size", vtemper_optimizer_create(model, data, options, &optimizer));
  vtemper_options_destroy(options);
  options = options_of("method", "svy", NULL);
  REFUSED(VTEMPER_ERROR_OPTION, "svi", vtemper_optimizer_create(model, data, options, &optimizer));
  vtemper_options_destroy(options);
  assert_null(optimizer);
  /* The failed calls changed nothing: the model is as it was created. */
  int64_t columns = -1;
  OK(vtemper_model_columns(model, &columns));
  assert_int_equal(columns, 0);

  /* Without effect: a temperature where there is none. */
  options = options_of("method", "svi", "temperature_start", "3", NULL);
  REFUSED(VTEMPER_ERROR_OPTION, "temperature_start", vtemper_optimizer_create(model, data, options, &optimizer));
  vtemper_options_destroy(options);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

static void test_effective_values(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_model* model = lda_of(options_of("topics", "4", "eta", "0.25", NULL));
  vtemper_optimizer* optimizer = optimizer_of(model, data, options_of("method", "vi", "seed", "17", NULL));
  const char* text = NULL;
  OK(vtemper_model_option(model, "topics", &text));
  assert_string_equal(text, "4");
  OK(vtemper_model_option(model, "eta", &text));
  assert_string_equal(text, "0.25");
  OK(vtemper_model_option(model, "precision", &text));
  assert_non_null(text);
  OK(vtemper_optimizer_option(optimizer, "seed", &text));
  assert_string_equal(text, "17");
  OK(vtemper_optimizer_option(optimizer, "method", &text));
  assert_string_equal(text, "vi");
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

static void assert_used(const vtemper_options* used, const char* name, const char* expected) {
  const char* text = NULL;
  OK(vtemper_options_get_text(used, name, &text));
  assert_string_equal(text, expected);
}

/* The values in use of options that are "auto" can be read; values that were set are unchanged. */
static void test_values_in_use(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_model* model = lda_of(options_of("topics", "4", "eta", "0.25", NULL));
  vtemper_optimizer* optimizer =
      optimizer_of(model, data, options_of("batch_size", "16", "max_iterations", "5", NULL));
  vtemper_options *of_model = NULL, *of_run = NULL;
  OK(vtemper_optimizer_used_options(optimizer, &of_run));
  assert_used(of_run, "method", "annealing");
  assert_used(of_run, "temperature", "schedule");
  assert_used(of_run, "step_size", "robbins_monro");
  assert_used(of_run, "temperature_start", "auto"); /* follows from the data at the first step */
  vtemper_options_destroy(of_run);
  OK(vtemper_optimizer_step(optimizer, 1, NULL));
  OK(vtemper_optimizer_used_options(optimizer, &of_run));
  OK(vtemper_model_used_options(model, &of_model));
  assert_used(of_model, "alpha", "0.25");
  assert_used(of_model, "eta", "0.25");
  assert_used(of_model, "learn_alpha", "false");
  const char *start = NULL, *text = NULL;
  OK(vtemper_options_get_text(of_run, "temperature_start", &start));
  assert_true(strtod(start, NULL) >= 1);
  OK(vtemper_optimizer_option(optimizer, "temperature_start", &text));
  assert_string_equal(text, "auto");
  OK(vtemper_model_option(model, "alpha", &text));
  assert_string_equal(text, "auto");
  vtemper_options* none = NULL;
  REFUSED(VTEMPER_ERROR_ARGUMENT, "model", vtemper_model_used_options(NULL, &none));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "options", vtemper_model_used_options(model, NULL));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "optimizer", vtemper_optimizer_used_options(NULL, &none));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "options", vtemper_optimizer_used_options(optimizer, NULL));
  assert_null(none);
  vtemper_options_destroy(of_model);
  vtemper_options_destroy(of_run);
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

/** Creates a subject with one value of one option; returns the status. */
static vtemper_status use_option(const char* subject, const char* name, const char* text) {
  vtemper_options* options = options_of(name, text, NULL);
  vtemper_status status;
  if (strcmp(subject, "optimizer") == 0) {
    vtemper_data* data = corpus_data();
    vtemper_model* model = lda_of(NULL);
    vtemper_optimizer* optimizer = NULL;
    status = vtemper_optimizer_create(model, data, options, &optimizer);
    assert_int_equal(status == VTEMPER_OK, optimizer != NULL);
    vtemper_optimizer_destroy(optimizer);
    vtemper_model_destroy(model);
    vtemper_data_destroy(data);
  } else if (strcmp(subject, "evaluate") == 0) {
    vtemper_data* data = corpus_data();
    vtemper_model* model = lda_of(NULL);
    double out;
    OK(vtemper_model_initialize(model, data, 1));
    status = vtemper_model_evaluate(model, data, NULL, "predictive", options, &out);
    vtemper_model_destroy(model);
    vtemper_data_destroy(data);
  } else {
    vtemper_model* model = NULL;
    status = vtemper_model_create(subject, options, &model);
    assert_int_equal(status == VTEMPER_OK, model != NULL);
    vtemper_model_destroy(model);
  }
  vtemper_options_destroy(options);
  return status;
}

/* A value within the table's range is accepted, or refused with a message that names the option (a meaningless
 * combination, an option without effect): nothing else. */
static void within(const char* subject, const vtemper_option* info, const char* text) {
  const vtemper_status status = use_option(subject, info->name, text);
  if (status == VTEMPER_OK) return;
  if (status == VTEMPER_ERROR_DATA && strcmp(subject, "evaluate") == 0) return; /* the share leaves no data */
  if ((status != VTEMPER_ERROR_OPTION && status != VTEMPER_ERROR_UNSUPPORTED) ||
      strstr(vtemper_last_error(), info->name) == NULL) {
    fail_msg("%s: %s=%s: %s: %s", subject, info->name, text, vtemper_status_name(status), vtemper_last_error());
  }
}

static void beyond(const char* subject, const vtemper_option* info, const char* text) {
  const vtemper_status status = use_option(subject, info->name, text);
  if (status != VTEMPER_ERROR_OPTION || strstr(vtemper_last_error(), info->name) == NULL) {
    fail_msg("%s: %s=%s should be refused: %s: %s", subject, info->name, text, vtemper_status_name(status),
             vtemper_last_error());
  }
}

static void check_number(const char* subject, const vtemper_option* info) {
  char text[64];
  const int whole = info->type == VTEMPER_OPTION_INTEGER;
  const char* format = whole ? "%.0f" : "%.17g";
  const int small = !whole || fabs(info->maximum) < 1e4; /* no model with 2^31 topics */
  snprintf(text, sizeof text, format, info->minimum);
  within(subject, info, text);
  if (isfinite(info->maximum) && small) {
    snprintf(text, sizeof text, format, info->maximum);
    within(subject, info, text);
  }
  if (isfinite(info->minimum) && fabs(info->minimum) < 1e15) {
    snprintf(text, sizeof text, format, whole ? info->minimum - 1 : nextafter(info->minimum, -INFINITY));
    beyond(subject, info, text);
  }
  if (isfinite(info->maximum) && fabs(info->maximum) < 1e15) {
    snprintf(text, sizeof text, format, whole ? info->maximum + 1 : nextafter(info->maximum, INFINITY));
    beyond(subject, info, text);
  }
  beyond(subject, info, "nonsense");
  beyond(subject, info, "nan");
  beyond(subject, info, "");
  if (whole) beyond(subject, info, "1.5");
}

static void check_option(const char* subject, const vtemper_option* info) {
  if (strcmp(info->default_text, "auto") != 0 || info->type != VTEMPER_OPTION_CHOICE) {
    within(subject, info, info->default_text);
  }
  if (info->type == VTEMPER_OPTION_CHOICE) {
    char* words = strdup(info->choices);
    for (char* word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) within(subject, info, word);
    free(words);
    beyond(subject, info, "nonsense");
    beyond(subject, info, "");
  } else if (info->type == VTEMPER_OPTION_BOOLEAN) {
    within(subject, info, "true");
    within(subject, info, "false");
    beyond(subject, info, "perhaps");
  } else if (info->type == VTEMPER_OPTION_TEXT) {
    within(subject, info, "/tmp");
  } else {
    check_number(subject, info);
  }
}

static void check_subject(const char* subject) {
  int32_t count = 0;
  OK(vtemper_option_count(subject, &count));
  assert_true(count > 0);
  for (int32_t i = 0; i < count; ++i) {
    vtemper_option info = {.struct_size = sizeof info};
    OK(vtemper_option_info(subject, i, &info));
    check_option(subject, &info);
  }
}

static void test_every_option(void** state) {
  (void)state;
  for (int32_t kind = 0; kind < vtemper_model_kind_count(); ++kind) check_subject(vtemper_model_kind_name(kind));
  check_subject("optimizer");
  check_subject("evaluate");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_read_back),        cmocka_unit_test(test_unknown_names),
      cmocka_unit_test(test_effective_values), cmocka_unit_test(test_values_in_use),
      cmocka_unit_test(test_every_option),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
