/* How runs end: what the report says, and the note that an unsettled fit leaves in its model. */
#include "fixtures.h"

static vtemper_options* hot_run(void) {
  return options_of("method", "annealing", "temperature_start", "4", "temperature_steps", "20", "batch_size", "16",
                    "seed", "5", "max_iterations", "12", NULL);
}

static const char* note_of(const vtemper_model* model) {
  const char* text = NULL;
  OK(vtemper_model_note(model, "ending", &text));
  return text;
}

static void count_warnings(int32_t level, const char* text, void* user) {
  if (level == 2 && strstr(text, "hot") != NULL) ++*(int*)user;
}

static void test_a_hot_fit_says_so(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_optimizer* optimizer = fit_of(data, hot_run());
  vtemper_model *model, *loaded, *copy;
  int warnings = 0;
  OK(vtemper_optimizer_model(optimizer, &model));
  assert_string_equal(note_of(model), "");
  OK(vtemper_optimizer_set_messages(optimizer, count_warnings, &warnings));
  vtemper_report report = {.struct_size = sizeof report};
  OK(vtemper_optimizer_run(optimizer, &report));
  assert_int_equal(report.ending, VTEMPER_ENDING_LENGTH);
  assert_int_equal(report.settled, 0);
  assert_true(report.temperature > 1);
  assert_int_equal(warnings, 1);
  assert_non_null(strstr(note_of(model), "hot"));

  /* The note is in the model, its copies and its file. */
  int64_t size;
  OK(vtemper_model_save_buffer(model, NULL, 0, &size));
  void* bytes = malloc((size_t)size);
  OK(vtemper_model_save_buffer(model, bytes, size, &size));
  OK(vtemper_model_load_buffer(bytes, size, &loaded));
  OK(vtemper_model_copy(model, &copy));
  assert_string_equal(note_of(loaded), note_of(model));
  assert_string_equal(note_of(copy), note_of(model));
  free(bytes);

  /* A run that continues from a checkpoint has it again, and drops it with the first step at T = 1. */
  OK(vtemper_optimizer_save_buffer(optimizer, NULL, 0, &size));
  bytes = malloc((size_t)size);
  OK(vtemper_optimizer_save_buffer(optimizer, bytes, size, &size));
  vtemper_optimizer* resumed;
  vtemper_model* of_resumed;
  OK(vtemper_optimizer_load_buffer(bytes, size, data, &resumed));
  OK(vtemper_optimizer_model(resumed, &of_resumed));
  assert_string_equal(note_of(of_resumed), note_of(model));
  OK(vtemper_optimizer_step(resumed, 8, &report));
  assert_true(report.temperature > 1 && *note_of(of_resumed) != '\0');
  OK(vtemper_optimizer_step(resumed, 1, &report));
  assert_true(report.temperature == 1);
  assert_int_equal(report.settled, 1);
  assert_string_equal(note_of(of_resumed), "");
  free(bytes);
  vtemper_model_destroy(of_resumed);
  vtemper_optimizer_destroy(resumed);
  vtemper_model_destroy(copy);
  vtemper_model_destroy(loaded);
  vtemper_model_destroy(model);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
}

static int stop(const vtemper_report* report, void* user) {
  (void)user;
  return report->iteration >= 3;
}

static int interrupt(void* user) {
  (void)user;
  return 1;
}

static void test_a_stopped_fit_says_so(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  for (int by_interrupt = 0; by_interrupt < 2; ++by_interrupt) {
    vtemper_options* options = hot_run();
    OK(vtemper_options_set(options, "report_every", "1"));
    OK(vtemper_options_set(options, "max_iterations", by_interrupt ? "100000000" : "12"));
    OK(vtemper_options_set(options, "temperature_steps", "1000000000"));
    vtemper_optimizer* optimizer = fit_of(data, options);
    int warnings = 0;
    OK(vtemper_optimizer_set_messages(optimizer, count_warnings, &warnings));
    if (by_interrupt) {
      vtemper_set_interrupt(interrupt, NULL);
    } else {
      OK(vtemper_optimizer_set_monitor(optimizer, stop, NULL));
    }
    assert_int_equal(vtemper_optimizer_run(optimizer, NULL), VTEMPER_CANCELLED);
    vtemper_set_interrupt(NULL, NULL);
    vtemper_report report = {.struct_size = sizeof report};
    OK(vtemper_optimizer_report(optimizer, &report));
    assert_int_equal(report.ending, VTEMPER_ENDING_CANCELLED);
    assert_int_equal(report.finished, 0);
    assert_int_equal(warnings, 1);
    vtemper_model* model;
    OK(vtemper_optimizer_model(optimizer, &model));
    assert_non_null(strstr(note_of(model), "stopped by its caller"));
    OK(vtemper_optimizer_set_monitor(optimizer, NULL, NULL));
    OK(vtemper_optimizer_step(optimizer, 1, &report));
    assert_int_equal(report.ending, VTEMPER_ENDING_NONE);
    vtemper_model_destroy(model);
    vtemper_optimizer_destroy(optimizer);
  }
  vtemper_data_destroy(data);
}

/* Programs whose report lacks the last fields get the others. */
static void test_older_reports(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_optimizer* optimizer = fit_of(data, hot_run());
  vtemper_report report;
  memset(&report, 0x55, sizeof report);
  report.struct_size = offsetof(vtemper_report, ending);
  OK(vtemper_optimizer_run(optimizer, &report));
  assert_int_equal(report.iteration, 12);
  assert_int_equal(report.ending, 0x55555555);
  assert_int_equal(report.settled, 0x55555555);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_hot_fit_says_so),
      cmocka_unit_test(test_a_stopped_fit_says_so),
      cmocka_unit_test(test_older_reports),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
