/* The monitor: when it is called, what it may do, and that stopping leaves the bits of the last complete step. */
#include "fixtures.h"

typedef struct watcher {
  vtemper_optimizer* optimizer;
  vtemper_model* model;
  vtemper_data* data;
  int64_t calls;
  int64_t stop_at; /* iteration; -1: never */
  int released;
} watcher;

static vtemper_options* svi(const char* report_every) {
  return options_of("method", "svi", "batch_size", "16", "seed", "5", "max_iterations", "12", "report_every",
                    report_every, NULL);
}

static int stop_there(const vtemper_report* report, void* user) {
  watcher* watching = user;
  ++watching->calls;
  assert_int_equal(report->struct_size, sizeof *report);
  return watching->stop_at >= 0 && report->iteration >= watching->stop_at;
}

static void test_cancel(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_optimizer* uncancelled = fit_of(data, svi("1"));
  OK(vtemper_optimizer_run(uncancelled, NULL));
  const topics all = optimizer_topics(uncancelled);
  vtemper_optimizer_destroy(uncancelled);

  for (int64_t stop_at = 1; stop_at < 12; stop_at += 3) {
    watcher watching = {.stop_at = stop_at};
    vtemper_report report = {.struct_size = sizeof report};
    vtemper_optimizer *cancelled = fit_of(data, svi("1")), *stepped = fit_of(data, svi("1"));
    OK(vtemper_optimizer_set_monitor(cancelled, stop_there, &watching));
    REFUSED(VTEMPER_CANCELLED, "monitor", vtemper_optimizer_run(cancelled, &report));
    assert_int_equal(report.iteration, stop_at);
    assert_int_equal(watching.calls, stop_at);
    OK(vtemper_optimizer_step(stepped, stop_at, NULL));
    const topics a = optimizer_topics(cancelled), b = optimizer_topics(stepped);
    assert_same_bits(&a, &b);

    OK(vtemper_optimizer_set_monitor(cancelled, NULL, NULL));
    OK(vtemper_optimizer_run(cancelled, &report));
    assert_int_equal(report.iteration, 12);
    assert_int_equal(watching.calls, stop_at);
    const topics finished = optimizer_topics(cancelled);
    assert_same_bits(&finished, &all);
    vtemper_optimizer_destroy(cancelled);
    vtemper_optimizer_destroy(stepped);
  }
  vtemper_data_destroy(data);
}

static void test_every(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  watcher watching = {.stop_at = -1};
  vtemper_optimizer* optimizer = fit_of(data, svi("4"));
  OK(vtemper_optimizer_set_monitor(optimizer, stop_there, &watching));
  OK(vtemper_optimizer_run(optimizer, NULL));
  assert_in_range(watching.calls, 3, 12); /* after 4, 8 and 12 steps, and after each that takes 0.2 seconds */
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
}

/* Inside a monitor, functions of const handles work; all others on the running handles return STATE. */
static int call_everything(const vtemper_report* report, void* user) {
  watcher* watching = user;
  vtemper_report again = {.struct_size = sizeof again};
  const double weights[corpus_rows] = {0};
  const char* names[corpus_columns] = {0};
  double *statistics, score;
  int64_t length = 0, size = 0;
  ++watching->calls;

  OK(vtemper_optimizer_report(watching->optimizer, &again));
  assert_int_equal(again.iteration, report->iteration);
  OK(vtemper_optimizer_statistics_length(watching->optimizer, &length));
  (void)optimizer_topics(watching->optimizer);
  OK(vtemper_model_evaluate(watching->model, watching->data, NULL, "elbo", NULL, &score));
  OK(vtemper_data_total(watching->data, &score));
  free(checkpoint_of(watching->optimizer, &size));
  free(model_bytes_of(watching->model, &size));
  vtemper_model* copy = NULL;
  OK(vtemper_model_copy(watching->model, &copy));
  OK(vtemper_model_set(copy, "lambda", optimizer_topics(watching->optimizer).lambda, corpus_topics * corpus_columns));
  /* Another fit on the same data is independent of this one. */
  vtemper_optimizer* other = optimizer_of(copy, watching->data, options_of("method", "vi", NULL));
  OK(vtemper_optimizer_step(other, 1, NULL));
  vtemper_optimizer_destroy(other);
  vtemper_model_destroy(copy);

  statistics = calloc((size_t)length, sizeof *statistics);
  vtemper_optimizer* optimizer = watching->optimizer;
  REFUSED(VTEMPER_ERROR_STATE, "running", vtemper_optimizer_step(optimizer, 1, NULL));
  REFUSED(VTEMPER_ERROR_STATE, "running", vtemper_optimizer_run(optimizer, NULL));
  REFUSED(VTEMPER_ERROR_STATE, "running", vtemper_optimizer_feed(optimizer, watching->data, NULL));
  REFUSED(VTEMPER_ERROR_STATE, "running", vtemper_optimizer_set_monitor(optimizer, NULL, NULL));
  REFUSED(VTEMPER_ERROR_STATE, "running", vtemper_optimizer_set_messages(optimizer, NULL, NULL));
  REFUSED(VTEMPER_ERROR_STATE, "running", vtemper_optimizer_local_step(optimizer, NULL, statistics, length));
  REFUSED(VTEMPER_ERROR_STATE, "running", vtemper_optimizer_global_step(optimizer, statistics, length, NULL));
  REFUSED(VTEMPER_ERROR_STATE, "running", vtemper_optimizer_set(optimizer, "anything", statistics, 1));
  REFUSED(VTEMPER_ERROR_STATE, "running", vtemper_model_initialize(watching->model, watching->data, 1));
  REFUSED(VTEMPER_ERROR_STATE, "running", vtemper_model_set(watching->model, "lambda", statistics, 160));
  REFUSED(VTEMPER_ERROR_STATE, "running", vtemper_optimizer_create(watching->model, watching->data, NULL, &other));
  REFUSED(VTEMPER_ERROR_STATE, "running", vtemper_data_set_weights(watching->data, weights, corpus_rows));
  REFUSED(VTEMPER_ERROR_STATE, "running", vtemper_data_set_names(watching->data, names, corpus_columns));
  free(statistics);
  return 0;
}

static void test_re_entrancy(void** state) {
  (void)state;
  watcher watching = {.stop_at = -1};
  watching.data = corpus_data();
  watching.optimizer = fit_of(watching.data, svi("1"));
  OK(vtemper_optimizer_model(watching.optimizer, &watching.model));
  vtemper_optimizer* undisturbed = fit_of(watching.data, svi("1"));
  OK(vtemper_optimizer_run(undisturbed, NULL));
  OK(vtemper_optimizer_set_monitor(watching.optimizer, call_everything, &watching));
  OK(vtemper_optimizer_run(watching.optimizer, NULL));
  assert_int_equal(watching.calls, 12);
  const topics a = optimizer_topics(watching.optimizer), b = optimizer_topics(undisturbed);
  assert_same_bits(&a, &b);
  /* After the run everything is allowed again. */
  const double weights[corpus_rows] = {1};
  OK(vtemper_optimizer_set_monitor(watching.optimizer, NULL, NULL));
  OK(vtemper_model_initialize(watching.model, watching.data, 1));
  OK(vtemper_data_set_weights(watching.data, weights, corpus_rows));
  vtemper_optimizer_destroy(undisturbed);
  vtemper_optimizer_destroy(watching.optimizer);
  vtemper_model_destroy(watching.model);
  vtemper_data_destroy(watching.data);
}

static void count_release(void* user) {
  ++((watcher*)user)->released;
}

static int destroy_everything(const vtemper_report* report, void* user) {
  watcher* watching = user;
  if (++watching->calls == 3) {
    vtemper_data_destroy(watching->data);
    vtemper_model_destroy(watching->model);
    vtemper_optimizer_destroy(watching->optimizer);
    vtemper_optimizer_destroy(watching->optimizer);
  }
  assert_int_equal(watching->released, 0);
  return report->iteration == watching->stop_at;
}

static void test_destroy_within(void** state) {
  (void)state;
  for (int64_t stop_at = -1; stop_at <= 5; stop_at += 6) {
    corpus arrays = corpus_make();
    watcher watching = {.stop_at = stop_at};
    vtemper_report report = {.struct_size = sizeof report};
    OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, corpus_rows, corpus_columns, arrays.offsets, VTEMPER_INT64,
                                arrays.indices, VTEMPER_INT32, arrays.values, VTEMPER_DOUBLE, 0, VTEMPER_BORROW,
                                count_release, &watching, &watching.data));
    watching.model = lda_of(NULL);
    watching.optimizer = optimizer_of(watching.model, watching.data, svi("1"));
    OK(vtemper_optimizer_set_monitor(watching.optimizer, destroy_everything, &watching));
    assert_int_equal(vtemper_optimizer_run(watching.optimizer, &report),
                     stop_at < 0 ? VTEMPER_OK : VTEMPER_CANCELLED);
    assert_int_equal(report.iteration, stop_at < 0 ? 12 : stop_at);
    assert_int_equal(watching.released, 1);
  }
}

typedef struct inbox {
  int messages;
  vtemper_optimizer* optimizer;
} inbox;

static void receive(int32_t level, const char* text, void* user) {
  inbox* received = user;
  ++received->messages;
  assert_true(level == 1 || level == 2);
  assert_true(strlen(text) > 10);
  REFUSED(VTEMPER_ERROR_STATE, "running", vtemper_optimizer_set_messages(received->optimizer, NULL, NULL));
}

static vtemper_options* stuck_hot(void) {
  return options_of("method", "tempering", "batch_size", "0", "max_iterations", "30", "temperature_max", "5", NULL);
}

/* Tempering of so few documents stays at the highest temperature and sends a warning; without a sink it is dropped.
 */
static void test_messages(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  inbox received = {0, NULL};
  vtemper_report report = {.struct_size = sizeof report};
  vtemper_optimizer* silent = fit_of(data, stuck_hot());
  received.optimizer = fit_of(data, stuck_hot());
  OK(vtemper_optimizer_set_messages(received.optimizer, receive, &received));
  OK(vtemper_optimizer_run(received.optimizer, &report));
  assert_int_equal(received.messages, 1);
  assert_int_equal(report.empty_rows, 2);
  OK(vtemper_optimizer_run(silent, NULL));
  assert_int_equal(received.messages, 1);
  const topics a = optimizer_topics(silent), b = optimizer_topics(received.optimizer);
  assert_same_bits(&a, &b);
  vtemper_optimizer_destroy(silent);
  vtemper_optimizer_destroy(received.optimizer);
  vtemper_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cancel),         cmocka_unit_test(test_every),    cmocka_unit_test(test_re_entrancy),
      cmocka_unit_test(test_destroy_within), cmocka_unit_test(test_messages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
