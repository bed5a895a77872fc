/* Fits of every kind in a thread with a small stack: they succeed, and what lies below the stack's guard page is not
 * touched. A frame larger than the page could step over it. */
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fixtures.h"
#include "support/valgrind.h"

enum { stack_size = 128 << 10, below_size = 1 << 20, pattern = 0xAB, rows = 150, wide = 150, narrow = 12 };

/** A fit, and why it failed. The thread allocates nothing for itself and asserts nothing. */
typedef struct task {
  const char* kind;
  const vtemper_options* of_model;
  const vtemper_options* of_run;
  const vtemper_data* data;
  char failure[400];
} task;

#define TRY(call)                                                                           \
  do {                                                                                      \
    if ((call) != VTEMPER_OK) {                                                             \
      snprintf(work->failure, sizeof work->failure, "%s: %s", #call, vtemper_last_error()); \
      goto end;                                                                             \
    }                                                                                       \
  } while (0)

static void* fit(void* argument) {
  task* work = argument;
  vtemper_model *model = NULL, *loaded = NULL;
  vtemper_optimizer* optimizer = NULL;
  void* bytes = NULL;
  int64_t size = 0;
  TRY(vtemper_model_create(work->kind, work->of_model, &model));
  TRY(vtemper_optimizer_create(model, work->data, work->of_run, &optimizer));
  TRY(vtemper_optimizer_run(optimizer, NULL));
  TRY(vtemper_model_save_buffer(model, NULL, 0, &size));
  bytes = malloc((size_t)size);
  if (bytes == NULL) {
    snprintf(work->failure, sizeof work->failure, "there is no memory");
    goto end;
  }
  TRY(vtemper_model_save_buffer(model, bytes, size, &size));
  TRY(vtemper_model_load_buffer(bytes, size, &loaded));
end:
  free(bytes);
  vtemper_model_destroy(loaded);
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  return NULL;
}

/** Runs the task in a thread whose stack ends at a guard page, and looks at the memory below. */
static void run_in_small_thread(task* work) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void* memory = NULL;
  pthread_attr_t attributes;
  pthread_t thread;
  long touched = 0;
  assert_int_equal(posix_memalign(&memory, page, below_size + page + stack_size), 0);
  unsigned char* const below = memory;
  memset(below, pattern, below_size);
  assert_int_equal(mprotect(below + below_size, page, PROT_NONE), 0);
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstack(&attributes, below + below_size + page, stack_size), 0);
  assert_int_equal(pthread_create(&thread, &attributes, fit, work), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  pthread_attr_destroy(&attributes);
  assert_int_equal(mprotect(below + below_size, page, PROT_READ | PROT_WRITE), 0);
  for (size_t i = 0; i < below_size; ++i) touched += below[i] != pattern;
  free(memory);
  if (work->failure[0] != 0) fail_msg("%s: %s", work->kind, work->failure);
  if (touched > 0) fail_msg("%s: %ld bytes below the guard page of the stack are overwritten", work->kind, touched);
}

/** Columns that are not constant and not equal to each other; `binary`: zeros and ones. */
static vtemper_data* dense(int64_t columns, int binary) {
  double* values = malloc((size_t)(rows * columns) * sizeof *values);
  vtemper_data* data = NULL;
  uint32_t state = 7;
  assert_non_null(values);
  for (int64_t i = 0; i < rows * columns; ++i) {
    const uint32_t drawn = corpus_random(&state);
    values[i] = binary ? (double)(drawn % 2) : (double)(drawn % 1000) / 1000 + (double)(i / columns % 2);
  }
  OK(vtemper_data_from_dense(rows, columns, values, VTEMPER_DOUBLE, columns, 1, VTEMPER_COPY, NULL, NULL, &data));
  free(values);
  return data;
}

static vtemper_data* sequences(void) {
  int64_t offsets[rows + 1];
  int32_t symbols[rows * 10];
  vtemper_data* data = NULL;
  uint32_t state = 7;
  for (int64_t row = 0; row <= rows; ++row) offsets[row] = row * 10;
  for (int64_t i = 0; i < rows * 10; ++i) symbols[i] = (int32_t)(corpus_random(&state) % 6);
  OK(vtemper_data_from_sequences(rows, 6, offsets, VTEMPER_INT64, symbols, VTEMPER_INT32, 0, VTEMPER_COPY, NULL, NULL,
                                 &data));
  return data;
}

/** Destroys the options and the data. */
static void check(const char* kind, vtemper_options* of_model, vtemper_options* of_run, vtemper_data* data) {
  task work = {kind, of_model, of_run, data, ""};
  run_in_small_thread(&work);
  vtemper_options_destroy(of_model);
  vtemper_options_destroy(of_run);
  vtemper_data_destroy(data);
}

static vtemper_options* short_run(void) {
  return options_of("max_iterations", "3", "threads", "1", NULL);
}

static void mixtures(void** state) {
  (void)state;
  /* So many columns that blocks of their covariances are multiplied. */
  check("gaussian_mixture", options_of("components", "2", NULL), short_run(), dense(wide, 0));
  check("gaussian_mixture", options_of("components", "2", "learn_priors", "true", NULL), short_run(), dense(wide, 0));
  check("bernoulli_mixture", options_of("components", "60", NULL), short_run(), dense(wide, 1));
  check("factorial_mixture", options_of("components", "3", NULL), short_run(), dense(narrow, 0));
}

static void topics_and_sequences(void** state) {
  (void)state;
  check("lda", options_of("topics", "4", NULL), short_run(), corpus_data());
  check("lda", options_of("topics", "4", NULL),
        options_of("method", "tempering", "max_iterations", "3", "threads", "1", NULL), corpus_data());
  check("hidden_markov", options_of("states", "9", NULL), short_run(), sequences());
}

static void networks(void** state) {
  (void)state;
  check("deep_exponential_family", options_of("latent", "6", NULL), short_run(), corpus_data());
  check("sigmoid_belief_network", options_of("layers", "6,4", NULL), short_run(), dense(narrow, 1));
  check("variational_autoencoder", options_of("hidden", "70", NULL), short_run(), dense(wide, 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mixtures),
      cmocka_unit_test(topics_and_sequences),
      cmocka_unit_test(networks),
  };
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 77; /* a sanitizer needs much more stack */
#endif
  if (under_valgrind()) return 77;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
