/* Functions of const handles run on one model from eight threads at once; distinct handles fit side by side. */
#include <pthread.h>

#include "fixtures.h"
#include "support/valgrind.h"

enum { thread_count = 8, rounds = 20 };

/** The values that every thread should read. */
typedef struct expected {
  vtemper_optimizer* optimizer;
  vtemper_model* model;
  vtemper_data* data;
  vtemper_options* one_thread; /* each */
  topics lambda;
  double gamma[corpus_rows * corpus_topics];
  double predictive, elbo, total;
  int64_t best[5];
  int64_t size;
  char* bytes;
} expected;

/* Comparisons in threads count mismatches: CMocka's own assertions are for the main thread only. */
static void* read_all(void* argument) {
  const expected* all = argument;
  intptr_t wrong = 0;
  topics* lambda = malloc(sizeof *lambda);
  double* gamma = malloc(sizeof all->gamma);
  char* bytes = malloc((size_t)all->size);
  for (int round = 0; round < (under_valgrind() ? 5 : rounds); ++round) {
    double score = 0;
    int64_t best[5], size = 0, columns = 0;
    vtemper_report report = {.struct_size = sizeof report};
    wrong += vtemper_model_get(all->model, "lambda", lambda->lambda, corpus_topics * corpus_columns) != VTEMPER_OK;
    wrong += memcmp(lambda, &all->lambda, sizeof *lambda) != 0;
    wrong += vtemper_model_infer(all->model, all->data, "gamma", all->one_thread, gamma,
                                 corpus_rows * corpus_topics) != VTEMPER_OK;
    wrong += memcmp(gamma, all->gamma, sizeof all->gamma) != 0;
    wrong += vtemper_model_evaluate(all->model, all->data, NULL, "predictive", all->one_thread, &score) != VTEMPER_OK;
    wrong += score != all->predictive;
    wrong += vtemper_model_evaluate(all->model, all->data, NULL, "elbo", all->one_thread, &score) != VTEMPER_OK;
    wrong += score != all->elbo;
    wrong += vtemper_model_rank_words(all->model, 1, "frex", 5, best, NULL) != VTEMPER_OK;
    wrong += memcmp(best, all->best, sizeof best) != 0;
    wrong += vtemper_model_save_buffer(all->model, bytes, all->size, &size) != VTEMPER_OK;
    wrong += memcmp(bytes, all->bytes, (size_t)all->size) != 0;
    wrong += vtemper_data_total(all->data, &score) != VTEMPER_OK || score != all->total;
    wrong += vtemper_data_columns(all->data, &columns) != VTEMPER_OK || columns != corpus_columns;
    wrong += vtemper_optimizer_report(all->optimizer, &report) != VTEMPER_OK || report.iteration != 5;
    wrong += vtemper_model_columns(all->model, NULL) != VTEMPER_ERROR_ARGUMENT;
    wrong += strstr(vtemper_last_error(), "columns") == NULL;
    vtemper_model *copy = NULL, *same = NULL;
    wrong += vtemper_model_copy(all->model, &copy) != VTEMPER_OK;
    wrong += vtemper_optimizer_model(all->optimizer, &same) != VTEMPER_OK;
    vtemper_model_destroy(copy);
    vtemper_model_destroy(same);
  }
  free(lambda);
  free(gamma);
  free(bytes);
  return (void*)wrong;
}

static void run_in_threads(void* (*work)(void*), void* argument) {
  pthread_t threads[thread_count];
  intptr_t wrong = 0;
  for (int i = 0; i < thread_count; ++i) assert_int_equal(pthread_create(&threads[i], NULL, work, argument), 0);
  for (int i = 0; i < thread_count; ++i) {
    void* result = NULL;
    pthread_join(threads[i], &result);
    wrong += (intptr_t)result;
  }
  assert_int_equal(wrong, 0);
}

static void test_const_handles(void** state) {
  (void)state;
  expected* all = calloc(1, sizeof *all);
  all->data = corpus_data();
  all->one_thread = options_of("threads", "1", NULL);
  all->optimizer = fit_of(all->data, options_of("method", "vi", "threads", "1", NULL));
  OK(vtemper_optimizer_step(all->optimizer, 5, NULL));
  OK(vtemper_optimizer_model(all->optimizer, &all->model));
  all->lambda = model_topics(all->model);
  OK(vtemper_model_infer(all->model, all->data, "gamma", all->one_thread, all->gamma, corpus_rows * corpus_topics));
  OK(vtemper_model_evaluate(all->model, all->data, NULL, "predictive", all->one_thread, &all->predictive));
  OK(vtemper_model_evaluate(all->model, all->data, NULL, "elbo", all->one_thread, &all->elbo));
  OK(vtemper_model_rank_words(all->model, 1, "frex", 5, all->best, NULL));
  OK(vtemper_data_total(all->data, &all->total));
  all->bytes = model_bytes_of(all->model, &all->size);
  run_in_threads(read_all, all);
  vtemper_model_destroy(all->model);
  vtemper_optimizer_destroy(all->optimizer);
  vtemper_data_destroy(all->data);
  vtemper_options_destroy(all->one_thread);
  free(all->bytes);
  free(all);
}

typedef struct shared_fit {
  vtemper_data* data;
  topics lambda;
} shared_fit;

static void* fit_alone(void* argument) {
  const shared_fit* shared = argument;
  const char* texts[] = {"method", "svi", "batch_size", "16", "seed", "5", "threads", "1"};
  intptr_t wrong = 0;
  vtemper_options *options = NULL, *topics_options = NULL;
  vtemper_model* model = NULL;
  vtemper_optimizer* optimizer = NULL;
  topics* lambda = malloc(sizeof *lambda);
  wrong += vtemper_options_create(&options) != VTEMPER_OK;
  wrong += vtemper_options_create(&topics_options) != VTEMPER_OK;
  for (int i = 0; i < 8; i += 2) wrong += vtemper_options_set(options, texts[i], texts[i + 1]) != VTEMPER_OK;
  wrong += vtemper_options_set(topics_options, "topics", "4") != VTEMPER_OK;
  wrong += vtemper_options_set(topics_options, "precision", "double") != VTEMPER_OK;
  wrong += vtemper_model_create("lda", topics_options, &model) != VTEMPER_OK;
  wrong += vtemper_optimizer_create(model, shared->data, options, &optimizer) != VTEMPER_OK;
  wrong += vtemper_optimizer_step(optimizer, 10, NULL) != VTEMPER_OK;
  wrong += vtemper_model_get(model, "lambda", lambda->lambda, corpus_topics * corpus_columns) != VTEMPER_OK;
  wrong += memcmp(lambda, &shared->lambda, sizeof *lambda) != 0;
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_options_destroy(options);
  vtemper_options_destroy(topics_options);
  free(lambda);
  return (void*)wrong;
}

static void test_distinct_handles(void** state) {
  (void)state;
  shared_fit shared = {.data = corpus_data()};
  vtemper_optimizer* optimizer =
      fit_of(shared.data, options_of("method", "svi", "batch_size", "16", "seed", "5", "threads", "1", NULL));
  OK(vtemper_optimizer_step(optimizer, 10, NULL));
  shared.lambda = optimizer_topics(optimizer);
  run_in_threads(fit_alone, &shared);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(shared.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_const_handles), cmocka_unit_test(test_distinct_handles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
