/* The three structs of the interface: offsets never change, struct_size is respected to the byte, and programs
 * built against earlier and later headers work. */
#include "fixtures.h"

static void test_offsets(void** state) {
  (void)state;
  assert_int_equal(offsetof(vtemper_option, struct_size), 0);
  assert_int_equal(offsetof(vtemper_option, type), 8);
  assert_int_equal(offsetof(vtemper_option, name), 16);
  assert_int_equal(offsetof(vtemper_option, default_text), 24);
  assert_int_equal(offsetof(vtemper_option, minimum), 32);
  assert_int_equal(offsetof(vtemper_option, maximum), 40);
  assert_int_equal(offsetof(vtemper_option, choices), 48);
  assert_int_equal(offsetof(vtemper_option, description), 56);

  assert_int_equal(offsetof(vtemper_quantity, struct_size), 0);
  assert_int_equal(offsetof(vtemper_quantity, name), 8);
  assert_int_equal(offsetof(vtemper_quantity, rank), 16);
  assert_int_equal(offsetof(vtemper_quantity, settable), 20);
  assert_int_equal(offsetof(vtemper_quantity, shape), 24);
  assert_int_equal(offsetof(vtemper_quantity, description), 56);

  assert_int_equal(offsetof(vtemper_report, struct_size), 0);
  assert_int_equal(offsetof(vtemper_report, iteration), 8);
  assert_int_equal(offsetof(vtemper_report, rows_seen), 16);
  assert_int_equal(offsetof(vtemper_report, passes), 24);
  assert_int_equal(offsetof(vtemper_report, elbo), 32);
  assert_int_equal(offsetof(vtemper_report, objective), 40);
  assert_int_equal(offsetof(vtemper_report, expected_log_likelihood), 48);
  assert_int_equal(offsetof(vtemper_report, temperature), 56);
  assert_int_equal(offsetof(vtemper_report, inverse_temperature), 64);
  assert_int_equal(offsetof(vtemper_report, step_size), 72);
  assert_int_equal(offsetof(vtemper_report, perturbation), 80);
  assert_int_equal(offsetof(vtemper_report, proximity), 88);
  assert_int_equal(offsetof(vtemper_report, change), 96);
  assert_int_equal(offsetof(vtemper_report, seconds), 104);
  assert_int_equal(offsetof(vtemper_report, converged), 112);
  assert_int_equal(offsetof(vtemper_report, finished), 116);
  assert_int_equal(offsetof(vtemper_report, objective_falls), 120);
  assert_int_equal(offsetof(vtemper_report, empty_rows), 128);
  assert_int_equal(offsetof(vtemper_report, unused_components), 136);
  assert_int_equal(offsetof(vtemper_report, duplicate_components), 144);
  assert_int_equal(offsetof(vtemper_report, ending), 152);
  assert_int_equal(offsetof(vtemper_report, settled), 156);
  assert_int_equal(offsetof(vtemper_report, ranks), 160);
  assert_int_equal(offsetof(vtemper_report, seconds_waiting), 168);
  assert_int_equal(offsetof(vtemper_report, bytes_sent), 176);
}

static void test_enum_values(void** state) {
  (void)state;
  assert_int_equal(VTEMPER_OK, 0);
  assert_int_equal(VTEMPER_ERROR_INTERNAL, 10);
  assert_int_equal(VTEMPER_ERROR_PEER, 11);
  assert_int_equal(VTEMPER_CANCELLED, 20);
  assert_int_equal(sizeof(vtemper_status), 4);
  for (int value = -1; value <= 21; ++value) {
    vtemper_status status;
    memcpy(&status, &value, sizeof status);
    const int known = (value >= 0 && value <= 11) || value == 20;
    assert_int_equal(strcmp(vtemper_status_name(status), "unknown status") != 0, known);
  }
  assert_string_equal(vtemper_status_name(VTEMPER_ERROR_DATA), "VTEMPER_ERROR_DATA");
}

enum { canary = 0x5a, room = 512 };

/** Fills a struct of `size` bytes through `fill` for every size from 0 to twice the real one. */
typedef vtemper_status (*filler)(void* handle, void* out);

static void check_sizes(filler fill, void* handle, size_t real, size_t first_field) {
  unsigned char whole[room];
  assert_true(2 * real <= room);
  memset(whole, canary, sizeof whole);
  memcpy(whole, &real, sizeof real);
  OK(fill(handle, whole));

  /* Sizes below a size_t cannot even be written by a C caller, but the library must survive them. */
  for (size_t size = 1; size <= 2 * real; ++size) {
    unsigned char* out = malloc(size < sizeof size ? sizeof size : size);
    unsigned char guarded[room + sizeof size];
    memset(guarded, canary, sizeof guarded);
    memcpy(guarded, &size, sizeof size);
    OK(fill(handle, guarded));
    assert_memory_equal(guarded, &size, sizeof size);
    for (size_t i = first_field; i < sizeof guarded; ++i) {
      const unsigned char expected = i >= size ? canary : i < real ? whole[i] : 0;
      if (guarded[i] != expected) fail_msg("struct_size %zu: byte %zu is %d", size, i, guarded[i]);
    }
    /* The same in an allocation of exactly that size, for the sanitizer. */
    memset(out, canary, size < sizeof size ? sizeof size : size);
    memcpy(out, &size, sizeof size);
    OK(fill(handle, out));
    free(out);
  }

  const size_t zero = 0, unset = (size_t)0x5a5a5a5a5a5a5a5a;
  memcpy(whole, &zero, sizeof zero);
  REFUSED(VTEMPER_ERROR_ARGUMENT, "struct_size", fill(handle, whole));
  memcpy(whole, &unset, sizeof unset);
  REFUSED(VTEMPER_ERROR_ARGUMENT, "struct_size", fill(handle, whole));
}

static vtemper_status fill_option(void* handle, void* out) {
  return vtemper_option_info(handle, 0, out);
}
static vtemper_status fill_parameter(void* handle, void* out) {
  return vtemper_model_parameter_info(handle, 0, out);
}
static vtemper_status fill_quantity(void* handle, void* out) {
  return vtemper_optimizer_quantity_info(handle, 0, out);
}
static vtemper_status fill_report(void* handle, void* out) {
  return vtemper_optimizer_report(handle, out);
}

/** The result of inference on the model's own data. */
typedef struct inference {
  vtemper_model* model;
  vtemper_data* data;
} inference;

static vtemper_status fill_inferred(void* handle, void* out) {
  const inference* of = handle;
  return vtemper_model_infer_info(of->model, of->data, 0, out);
}

static void test_sizes(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_optimizer* optimizer = fit_of(data, options_of("method", "vi", NULL));
  vtemper_model* model = NULL;
  OK(vtemper_optimizer_model(optimizer, &model));
  OK(vtemper_optimizer_step(optimizer, 2, NULL));
  check_sizes(fill_option, "lda", sizeof(vtemper_option), sizeof(size_t));
  check_sizes(fill_parameter, model, sizeof(vtemper_quantity), sizeof(size_t));
  check_sizes(fill_quantity, optimizer, sizeof(vtemper_quantity), sizeof(size_t));
  check_sizes(fill_report, optimizer, sizeof(vtemper_report), sizeof(size_t));
  inference inferred = {model, data};
  check_sizes(fill_inferred, &inferred, sizeof(vtemper_quantity), sizeof(size_t));

  /* A report that cannot be filled is refused before the step, not after it. */
  vtemper_report report = {.struct_size = 0};
  const int64_t before = report_of(optimizer).iteration;
  REFUSED(VTEMPER_ERROR_ARGUMENT, "struct_size", vtemper_optimizer_step(optimizer, 1, &report));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "struct_size", vtemper_optimizer_run(optimizer, &report));
  REFUSED(VTEMPER_ERROR_ARGUMENT, "struct_size", vtemper_optimizer_feed(optimizer, data, &report));
  assert_int_equal(report_of(optimizer).iteration, before);

  vtemper_model_destroy(model);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
}

/** A report as seen by a program that was built against an earlier header, whose struct ended after some member, or
 * against a later one, whose struct has more members. */
typedef struct foreign_report {
  vtemper_report known;
  unsigned char more[room];
} foreign_report;

static foreign_report foreign(size_t size) {
  foreign_report report;
  memset(&report, canary, sizeof report);
  report.known.struct_size = size;
  return report;
}

/* Members that the program knows have the library's values; members of a later header are zero; nothing else is
 * written. */
static void check_foreign(const foreign_report* report, size_t size, const vtemper_optimizer* optimizer) {
  const vtemper_report whole = report_of(optimizer);
  const unsigned char *bytes = (const unsigned char*)report, *expected = (const unsigned char*)&whole;
  assert_int_equal(report->known.struct_size, size);
  for (size_t i = sizeof(size_t); i < sizeof *report; ++i) {
    const unsigned char right = i >= size ? canary : i < sizeof whole ? expected[i] : 0;
    if (bytes[i] != right) fail_msg("a report of %zu bytes: byte %zu is %d, not %d", size, i, bytes[i], right);
  }
}

static int count_steps(const vtemper_report* report, void* user) {
  /* The library's own struct: it contains its size, and an older program reads the beginning of it. */
  assert_int_equal(report->struct_size, sizeof *report);
  ++*(int*)user;
  return 0;
}

/* All calls that report, by a program with a header of this size. */
static void run_foreign_program(size_t size) {
  vtemper_data* data = corpus_data();
  vtemper_optimizer* optimizer = fit_of(data, options_of("method", "svi", "batch_size", "20", "max_iterations", "5",
                                                         "report_every", "1", "threads", "1", NULL));
  int steps = 0;
  OK(vtemper_optimizer_set_monitor(optimizer, count_steps, &steps));

  foreign_report report = foreign(size);
  OK(vtemper_optimizer_step(optimizer, 1, &report.known));
  check_foreign(&report, size, optimizer);

  report = foreign(size);
  OK(vtemper_optimizer_feed(optimizer, data, &report.known));
  check_foreign(&report, size, optimizer);

  int64_t length = 0;
  OK(vtemper_optimizer_statistics_length(optimizer, &length));
  double* statistics = malloc((size_t)length * sizeof *statistics);
  OK(vtemper_optimizer_local_step(optimizer, NULL, statistics, length));
  report = foreign(size);
  OK(vtemper_optimizer_global_step(optimizer, statistics, length, &report.known));
  check_foreign(&report, size, optimizer);
  free(statistics);

  report = foreign(size);
  OK(vtemper_optimizer_run(optimizer, &report.known));
  check_foreign(&report, size, optimizer);
  assert_int_equal(report_of(optimizer).iteration, 5);
  assert_true(steps > 0);

  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
}

static void test_programs_of_other_headers(void** state) {
  (void)state;
  const size_t ends[] = {offsetof(vtemper_report, rows_seen),  offsetof(vtemper_report, elbo),
                         offsetof(vtemper_report, converged),  offsetof(vtemper_report, finished),
                         offsetof(vtemper_report, empty_rows), offsetof(vtemper_report, ending),
                         offsetof(vtemper_report, settled),    sizeof(vtemper_report),
                         sizeof(vtemper_report) + 8,           sizeof(foreign_report)};
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; ++i) run_foreign_program(ends[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_offsets),
      cmocka_unit_test(test_enum_values),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_programs_of_other_headers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
