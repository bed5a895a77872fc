/* Many fits of all kinds on 16 threads, again and again, each with handles of its own on shared data: the same bits
 * every time, and memory that does not grow. A thousand fits, or VTEMPER_SOAK_SECONDS=3600 for an hour. Prints the
 * number of fits. */
#include <malloc.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fixtures.h"

enum { THREADS = 16, FITS = 1000, ROWS = 60, COLUMNS = 5, CHILDREN = 50, LARGEST_FILE = 1 << 16 };

typedef struct kind_of_fit {
  const char *kind, *size, *units; /**< size: an option of the model, and its value */
  const char *method, *batch_size;
  int form;                            /**< of the data */
  const char *further, *further_value; /**< another option of the model; NULL: none */
} kind_of_fit;

static const kind_of_fit kinds[] = {
    {"lda", "topics", "4", "vi", "0", VTEMPER_COUNTS, NULL, NULL},
    {"lda", "topics", "4", "svi", "16", VTEMPER_COUNTS, NULL, NULL},
    {"lda", "topics", "4", "annealing", "16", VTEMPER_COUNTS, NULL, NULL},
    {"lda", "topics", "4", "tempering", "16", VTEMPER_COUNTS, NULL, NULL},
    {"lda", "topics", "4", "local_tempering", "16", VTEMPER_COUNTS, NULL, NULL},
    {"gaussian_mixture", "components", "3", "annealing", "0", VTEMPER_DENSE, NULL, NULL},
    {"bernoulli_mixture", "components", "3", "tempering", "0", VTEMPER_DENSE, NULL, NULL},
    {"factorial_mixture", "components", "3", "vi", "16", VTEMPER_DENSE, NULL, NULL},
    {"hidden_markov", "states", "3", "annealing", "0", VTEMPER_SEQUENCES, NULL, NULL},
    {"deep_exponential_family", "latent", "3", "vi", "16", VTEMPER_COUNTS, "local_iterations", "3"},
    {"sigmoid_belief_network", "layers", "3", "entropy_annealing", "16", VTEMPER_DENSE, NULL, NULL},
    {"variational_autoencoder", "hidden", "4", "vi", "16", VTEMPER_DENSE, NULL, NULL},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static vtemper_data *counts, *dense, *sequences;

/* The file of a fit. */
typedef struct saved {
  int64_t size;
  char bytes[LARGEST_FILE];
} saved;
static saved expected[KINDS];

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void make_data(void) {
  double bits[ROWS * COLUMNS];
  int32_t symbols[ROWS * COLUMNS];
  int64_t offsets[ROWS + 1];
  uint32_t state = 7;
  for (int i = 0; i < ROWS * COLUMNS; ++i) {
    bits[i] = corpus_random(&state) % 3 == (uint32_t)(i / COLUMNS % 2) ? 1 : 0;
    symbols[i] = (int32_t)(corpus_random(&state) % 4);
  }
  for (int row = 0; row <= ROWS; ++row) offsets[row] = (int64_t)row * COLUMNS;
  counts = corpus_data();
  OK(vtemper_data_from_dense(ROWS, COLUMNS, bits, VTEMPER_DOUBLE, COLUMNS, 1, VTEMPER_COPY, NULL, NULL, &dense));
  OK(vtemper_data_from_sequences(ROWS, 4, offsets, VTEMPER_INT64, symbols, VTEMPER_INT32, 0, VTEMPER_COPY, NULL, NULL,
                                 &sequences));
}

/* A fit that is saved, loaded and scored. Returns NULL, or the message of what failed. */
static const char* fit(const kind_of_fit* what, saved* file) {
  vtemper_options *options = NULL, *of_model = NULL;
  vtemper_model *model = NULL, *loaded = NULL;
  vtemper_optimizer* optimizer = NULL;
  double score;
  const vtemper_data* data = what->form == VTEMPER_COUNTS ? counts : what->form == VTEMPER_DENSE ? dense : sequences;
  const int failed =
      vtemper_options_create(&options) || vtemper_options_create(&of_model) ||
      vtemper_options_set(options, "method", what->method) || vtemper_options_set(options, "threads", "2") ||
      vtemper_options_set(options, "batch_size", what->batch_size) ||
      vtemper_options_set(of_model, what->size, what->units) ||
      (what->further != NULL && vtemper_options_set(of_model, what->further, what->further_value)) ||
      vtemper_model_create(what->kind, of_model, &model) ||
      vtemper_optimizer_create(model, data, options, &optimizer) || vtemper_optimizer_step(optimizer, 4, NULL) ||
      vtemper_model_save_buffer(model, file->bytes, LARGEST_FILE, &file->size) ||
      vtemper_model_load_buffer(file->bytes, file->size, &loaded) ||
      vtemper_model_evaluate(loaded, data, NULL, "elbo", NULL, &score);
  vtemper_options_destroy(options);
  vtemper_options_destroy(of_model);
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_model_destroy(loaded);
  return failed ? vtemper_last_error() : NULL;
}

typedef struct worker {
  pthread_t thread;
  int number;
  long quota; /**< number of fits; 0: until the end */
  double end;
  long fits;
  char failure[256];
} worker;

static void* work(void* argument) {
  worker* own = argument;
  saved* file = malloc(sizeof *file);
  const char* failure = file ? NULL : "no memory";
  while (failure == NULL && (own->quota > 0 ? own->fits < own->quota : seconds_now() < own->end)) {
    const int kind = (int)((own->fits + own->number) % KINDS);
    failure = fit(&kinds[kind], file);
    if (failure == NULL &&
        (file->size != expected[kind].size || memcmp(file->bytes, expected[kind].bytes, (size_t)file->size) != 0)) {
      failure = kinds[kind].kind; /* other bits */
    }
    ++own->fits;
  }
  if (failure != NULL) snprintf(own->failure, sizeof own->failure, "%s", failure);
  free(file);
  return NULL;
}

/* Forks meanwhile: the children do nothing, and the fits notice nothing. */
static void fork_children(int count) {
  for (int i = 0; i < count; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    assert_true(child > 0);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}

static long fits_for(long quota, double seconds) {
  worker workers[THREADS];
  long fits = 0;
  for (int i = 0; i < THREADS; ++i) {
    workers[i] = (worker){.number = i, .quota = quota, .end = seconds_now() + seconds};
    assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  fork_children(CHILDREN);
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(workers[i].thread, NULL);
    assert_string_equal(workers[i].failure, "");
    fits += workers[i].fits;
  }
  return fits;
}

/* Bytes in use; 0 if malloc is not that of glibc. */
static size_t bytes_in_use(void) {
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

static void test_soak(void** state) {
  (void)state;
  const char* text = getenv("VTEMPER_SOAK_SECONDS");
  const double seconds = text == NULL ? 0 : atof(text);
  make_data();
  for (int kind = 0; kind < KINDS; ++kind) assert_null(fit(&kinds[kind], &expected[kind]));
  const double begin = seconds_now();
  const long warm = fits_for(KINDS, 0);
  const size_t before = bytes_in_use();
  const long fits = fits_for(seconds > 0 ? 0 : (FITS + THREADS - 1) / THREADS, seconds);
  const size_t after = bytes_in_use();
  printf(
      "%ld fits of %d kinds and methods on %d threads in %.1f seconds, the same bits, while %d children were forked; "
      "bytes in use before and after: %zu, %zu\n",
      warm + fits, (int)KINDS, (int)THREADS, seconds_now() - begin, 2 * CHILDREN, before, after);
  const size_t room = 200000; /* for what threads and the C library keep; fits keep nothing */
  assert_true(after < before + room);
  assert_true(fits >= THREADS);
  vtemper_data_destroy(counts);
  vtemper_data_destroy(dense);
  vtemper_data_destroy(sequences);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_soak)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
