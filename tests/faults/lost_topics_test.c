/* The disk that holds the topics (parameters_folder) fails at the n-th read or write of a step, or from then on, for
 * every n. Either the step is refused, has changed nothing and succeeds when the disk works again; or the topics are
 * lost: that step and all later calls that need them say so, and the run goes on from its checkpoint. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../api/fixtures.h"

/* ---- The disk ---- */

static atomic_long disk_calls, disk_fails_at; /* from 1; 0: never */
static atomic_int disk_reason;                /* a number of errno, or 0: only a byte of the call is done */
static atomic_bool disk_fails_on;             /* all later calls as well */

/* Whether the call fails; it may be made short instead. */
static int disk_fails(size_t* size) {
  const long call = atomic_fetch_add(&disk_calls, 1) + 1, fails_at = atomic_load(&disk_fails_at);
  if (fails_at == 0 || call < fails_at || (call > fails_at && !atomic_load(&disk_fails_on))) return 0;
  errno = atomic_load(&disk_reason);
  if (errno == 0 && *size > 1) *size = 1;
  return errno != 0;
}

ssize_t pread(int file, void* bytes, size_t size, off_t at) {
  return disk_fails(&size) ? -1 : syscall(SYS_pread64, file, bytes, size, at);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  return disk_fails(&size) ? -1 : syscall(SYS_pwrite64, file, bytes, size, at);
}

/* Of one range in this library. */
ssize_t preadv2(int file, const struct iovec* ranges, int count, off_t at, int flags) {
  struct iovec range = ranges[0];
  return count != 1 || disk_fails(&range.iov_len) ? -1 : syscall(SYS_preadv2, file, &range, 1, (long)at, 0L, flags);
}

/* Tells of failures to write later what was written. */
int sync_file_range(int file, off_t at, off_t size, unsigned flags) {
  size_t one = 1;
  return disk_fails(&one) ? -1 : (int)syscall(SYS_sync_file_range, file, at, size, flags);
}

static void disk_works(void) {
  atomic_store(&disk_fails_at, 0);
}

/* ---- Steps ---- */

enum { many_topics = 20, numbers = many_topics * corpus_columns };

typedef struct values {
  double lambda[numbers];
} values;

typedef struct run {
  const char *name, *method, *first;
  int steps; /* before the one in which the disk fails */
} run;

static char folder[] = "/tmp/vtemper-lost-XXXXXX";
static vtemper_data* data;
static long refused, lost, unharmed;

static vtemper_options* options_of_run(const run* with) {
  const int is_full = strcmp(with->method, "vi") == 0;
  return options_of("method", with->method, "moves", "off", "batch_size", is_full ? "0" : "16", "max_iterations",
                    "12", "seed", "3", "threads", "2", NULL);
}

static vtemper_optimizer* begin(const run* with, vtemper_model** model) {
  vtemper_options* options = options_of("topics", "20", "parameters_folder", folder, NULL);
  if (with->first != NULL) OK(vtemper_options_set(options, "initial_topics", with->first));
  *model = lda_of(options);
  vtemper_optimizer* optimizer = optimizer_of(*model, data, options_of_run(with));
  OK(vtemper_optimizer_step(optimizer, with->steps, NULL));
  return optimizer;
}

static values read_values(const vtemper_model* model) {
  values read;
  OK(vtemper_model_get(model, "lambda", read.lambda, numbers));
  return read;
}

static void assert_lost(vtemper_status status, const char* call) {
  const char* const text = vtemper_last_error();
  if (status != VTEMPER_ERROR_IO || strstr(text, folder) == NULL || strstr(text, "are lost") == NULL ||
      strstr(text, "checkpoint") == NULL) {
    fail_msg("%s: %s: %s", call, vtemper_status_name(status), text);
  }
}

/* All that needs the topics. */
static void assert_all_lost(vtemper_optimizer* optimizer, vtemper_model* model) {
  static double out[corpus_rows * many_topics];
  const char* const path = "/tmp/vtemper-lost-topics";
  vtemper_model* copy = NULL;
  int64_t size = 0;
  for (int i = 0; i < numbers; ++i) out[i] = 1;
  assert_lost(vtemper_optimizer_step(optimizer, 1, NULL), "step");
  assert_lost(vtemper_optimizer_run(optimizer, NULL), "run");
  assert_lost(vtemper_model_set(model, "lambda", out, numbers), "set");
  assert_lost(vtemper_model_get(model, "lambda", out, numbers), "get");
  assert_lost(vtemper_model_infer(model, data, "gamma", NULL, out, corpus_rows * many_topics), "infer");
  assert_lost(vtemper_model_evaluate(model, data, NULL, "elbo", NULL, out), "evaluate");
  assert_lost(vtemper_model_save(model, path), "save");
  assert_lost(vtemper_optimizer_save_buffer(optimizer, NULL, 0, &size), "checkpoint");
  assert_lost(vtemper_model_copy(model, &copy), "copy");
  assert_null(copy);
  assert_int_equal(access(path, F_OK), -1);
}

/* One step with a failure of the n-th call; returns whether the step had so many. */
static bool step_fails(const run* with, long n, int reason, const char* checkpoint, int64_t size,
                       const values* undisturbed) {
  vtemper_model* model = NULL;
  vtemper_optimizer* optimizer = begin(with, &model);
  const values before = read_values(model);
  atomic_store(&disk_reason, reason);
  atomic_store(&disk_calls, 0);
  atomic_store(&disk_fails_at, n);
  const vtemper_status status = vtemper_optimizer_step(optimizer, 1, NULL);
  const bool has_failed = atomic_load(&disk_calls) >= n;
  disk_works();
  if (status == VTEMPER_OK) {
    unharmed += has_failed;
  } else if (status == VTEMPER_ERROR_IO && strstr(vtemper_last_error(), "are lost") == NULL) {
    assert_non_null(strstr(vtemper_last_error(), folder));
    ++refused;
    const values after = read_values(model);
    assert_memory_equal(&after, &before, sizeof after);
    OK(vtemper_optimizer_step(optimizer, 1, NULL));
  } else {
    assert_lost(status, with->name);
    ++lost;
    assert_all_lost(optimizer, model);
    vtemper_optimizer_destroy(optimizer);
    vtemper_model_destroy(model);
    OK(vtemper_optimizer_load_buffer(checkpoint, size, data, &optimizer));
    OK(vtemper_optimizer_step(optimizer, 1, NULL));
    OK(vtemper_optimizer_model(optimizer, &model));
  }
  const values after = read_values(model);
  assert_memory_equal(&after, undisturbed, sizeof after);
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  return has_failed;
}

/* Topics with words of their own: those that a growing fit has not split yet are equal. */
static int distinct(const values* of) {
  int count = 0;
  for (int k = 0; k < many_topics; ++k) {
    const double* const topic = of->lambda + k * corpus_columns;
    bool is_first = true;
    for (int other = 0; other < k && is_first; ++other) {
      is_first = memcmp(topic, of->lambda + other * corpus_columns, corpus_columns * sizeof *topic) != 0;
    }
    count += is_first;
  }
  return count;
}

/* Returns whether the step splits topics. */
static bool fail_every_call(const run* with) {
  vtemper_model* model = NULL;
  vtemper_optimizer* optimizer = begin(with, &model);
  int64_t size = 0;
  char* const checkpoint = checkpoint_of(optimizer, &size);
  const values before = read_values(model);
  OK(vtemper_optimizer_step(optimizer, 1, NULL));
  const values undisturbed = read_values(model);
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  const long lost_before = lost, refused_before = refused;
  const int reasons[] = {EIO, ENOSPC, EINTR, 0, EIO, ENOSPC};
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i) {
    const long harmed = lost + refused;
    atomic_store(&disk_fails_on, i >= 4);
    for (long n = 1; step_fails(with, n, reasons[i], checkpoint, size, &undisturbed); ++n) assert_true(n < 10000);
    if (reasons[i] == EINTR || reasons[i] == 0) assert_int_equal(lost + refused, harmed);
  }
  atomic_store(&disk_fails_on, false);
  free(checkpoint);
  assert_true(lost > lost_before && refused > refused_before);
  return distinct(&undisturbed) > distinct(&before);
}

static void test_steps(void** state) {
  (void)state;
  const run svi = {"a step of svi", "svi", NULL, 3}, all_rows = {"a step of all rows", "vi", NULL, 2};
  run growing = {"a step of a growing fit", "annealing", "5", 0};
  fail_every_call(&svi);
  fail_every_call(&all_rows);
  int splits = 0;
  for (growing.steps = 1; growing.steps < 11; ++growing.steps) splits += fail_every_call(&growing);
  assert_true(splits > 0);
}

/* The file is read or written where a fit begins: its first step copies a model that was loaded. */
static void test_loaded_model(void** state) {
  (void)state;
  char path[64];
  snprintf(path, sizeof path, "%s/model", folder);
  const run with = {"", "svi", NULL, 1};
  vtemper_model *model = NULL, *loaded = NULL;
  vtemper_optimizer* optimizer = begin(&with, &model);
  OK(vtemper_model_save(model, path));
  vtemper_optimizer_destroy(optimizer);
  for (long n = 1, failed = 1; failed; ++n) {
    OK(vtemper_model_load(path, &loaded));
    optimizer = optimizer_of(loaded, data, options_of_run(&with));
    atomic_store(&disk_reason, EIO);
    atomic_store(&disk_calls, 0);
    atomic_store(&disk_fails_at, n);
    const vtemper_status status = vtemper_optimizer_step(optimizer, 1, NULL);
    failed = atomic_load(&disk_calls) >= n;
    disk_works();
    if (status != VTEMPER_OK) {
      assert_int_equal(status, VTEMPER_ERROR_IO);
      assert_non_null(strstr(vtemper_last_error(), folder));
    }
    vtemper_optimizer_destroy(optimizer);
    vtemper_model_destroy(loaded);
  }
  vtemper_model_destroy(model);
  assert_int_equal(unlink(path), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps), cmocka_unit_test(test_loaded_model)};
  if (mkdtemp(folder) == NULL) return 1;
  data = corpus_data();
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  printf("%ld steps refused, %ld lost the topics, %ld were not harmed\n", refused, lost, unharmed);
  vtemper_data_destroy(data);
  return rmdir(folder) != 0 || failed != 0 ? 1 : 0;
}
