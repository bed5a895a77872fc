/* Many fits on 16 threads, again and again, each with handles of its own on shared data: the same bits every time,
 * and memory that does not grow. Two seconds; VTEMPER_SOAK_SECONDS=3600 for an hour. Prints the number of fits. */
#include <malloc.h>
#include <pthread.h>
#include <time.h>

#include "fixtures.h"

enum { THREADS = 16, NUMBERS = corpus_topics * corpus_columns };
static const double default_seconds = 2, warm_share = 0.3;

static const char* const methods[] = {"vi", "svi", "annealing", "tempering"};
enum { METHODS = sizeof methods / sizeof *methods };

static vtemper_data* shared;
static double expected[METHODS][NUMBERS];

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A fit that is saved, loaded and scored; its topics. Returns NULL, or the message of what failed. */
static const char* fit(int method, double* lambda) {
  vtemper_options *options = NULL, *of_model = NULL;
  vtemper_model *model = NULL, *loaded = NULL;
  vtemper_optimizer* optimizer = NULL;
  char* bytes = NULL;
  int64_t size = 0;
  double score;
  const int full = strcmp(methods[method], "vi") == 0;
  int failed =
      vtemper_options_create(&options) || vtemper_options_create(&of_model) ||
      vtemper_options_set(options, "method", methods[method]) || vtemper_options_set(options, "threads", "2") ||
      vtemper_options_set(options, "batch_size", full ? "0" : "16") || vtemper_options_set(of_model, "topics", "4") ||
      vtemper_model_create("lda", of_model, &model) || vtemper_optimizer_create(model, shared, options, &optimizer) ||
      vtemper_optimizer_step(optimizer, 4, NULL) || vtemper_model_save_buffer(model, NULL, 0, &size);
  if (!failed) bytes = malloc((size_t)size);
  failed = failed || !bytes || vtemper_model_save_buffer(model, bytes, size, &size) ||
           vtemper_model_load_buffer(bytes, size, &loaded) || vtemper_model_get(loaded, "lambda", lambda, NUMBERS) ||
           vtemper_model_evaluate(loaded, shared, NULL, "elbo", NULL, &score);
  free(bytes);
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
  double end;
  long fits;
  char failure[256];
} worker;

static void* work(void* argument) {
  worker* own = argument;
  double lambda[NUMBERS];
  do {
    const int method = (int)((own->fits + own->number) % METHODS);
    const char* failure = fit(method, lambda);
    if (failure == NULL && memcmp(lambda, expected[method], sizeof lambda) != 0) failure = "other bits";
    if (failure != NULL) {
      snprintf(own->failure, sizeof own->failure, "%s", failure);
      break;
    }
    ++own->fits;
  } while (seconds_now() < own->end);
  return NULL;
}

static long fits_for(double seconds) {
  worker workers[THREADS];
  long fits = 0;
  for (int i = 0; i < THREADS; ++i) {
    workers[i] = (worker){.number = i, .end = seconds_now() + seconds};
    assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
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
  return mallinfo2().uordblks;
#else
  return 0;
#endif
}

static void test_soak(void** state) {
  (void)state;
  const char* text = getenv("VTEMPER_SOAK_SECONDS");
  const double seconds = text == NULL ? default_seconds : atof(text);
  shared = corpus_data();
  for (int method = 0; method < METHODS; ++method) assert_null(fit(method, expected[method]));
  const long warm = fits_for(warm_share * seconds);
  const size_t before = bytes_in_use();
  const long fits = fits_for(seconds);
  const size_t after = bytes_in_use();
  printf("%ld fits on %d threads in %g seconds, the same bits; bytes in use before and after: %zu, %zu\n",
         warm + fits, (int)THREADS, seconds, before, after);
  const size_t room = 200000; /* for what threads and the C library keep; fits keep nothing */
  assert_true(after < before + room);
  assert_true(fits >= THREADS);
  vtemper_data_destroy(shared);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_soak)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
