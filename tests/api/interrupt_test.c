/* The callback of vtemper_set_interrupt: long calls poll it, also within a step; a cancelled call changes nothing;
 * other threads do not poll it. */
#include "fixtures.h"

typedef struct caller {
  int64_t asked;
  int64_t end_at; /* the question answered with "end"; 0 never */
} caller;

static int answer(void* user) {
  caller* asking = user;
  ++asking->asked;
  return asking->asked == asking->end_at;
}

/* Rows that never converge, with so many updates each that a step takes longer than the time between two polls. */
static char local_iterations[32];

static vtemper_optimizer* slow_fit(const vtemper_data* data, const char* threads) {
  vtemper_model* model = lda_of(options_of("topics", "4", "precision", "double", "local_tolerance", "0",
                                           "local_iterations", local_iterations, NULL));
  vtemper_optimizer* optimizer =
      optimizer_of(model, data,
                   options_of("method", "svi", "batch_size", "30", "seed", "5", "max_iterations", "3", "threads",
                              threads, "report_every", "1000", NULL));
  vtemper_model_destroy(model);
  return optimizer;
}

/* How many updates that takes depends on the machine and its load: four times what test_run needs. */
static int find_local_iterations(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  caller asking = {.end_at = 0};
  for (int64_t iterations = 10000; asking.asked < 12; iterations *= 2) {
    snprintf(local_iterations, sizeof local_iterations, "%lld", (long long)iterations);
    vtemper_optimizer* optimizer = slow_fit(data, "1");
    asking.asked = 0;
    vtemper_set_interrupt(answer, &asking);
    OK(vtemper_optimizer_run(optimizer, NULL));
    vtemper_set_interrupt(NULL, NULL);
    vtemper_optimizer_destroy(optimizer);
  }
  vtemper_data_destroy(data);
  return 0;
}

static void test_run(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_optimizer* whole = slow_fit(data, "1");
  OK(vtemper_optimizer_run(whole, NULL));
  const topics all = optimizer_topics(whole);
  vtemper_optimizer_destroy(whole);

  const char* threads[] = {"1", "2"};
  for (int t = 0; t < 2; ++t) {
    for (int64_t end_at = 1; end_at <= (t == 0 ? 3 : 1); ++end_at) {
      caller asking = {.end_at = end_at};
      vtemper_optimizer *ended = slow_fit(data, threads[t]), *stepped = slow_fit(data, threads[t]);
      vtemper_set_interrupt(answer, &asking);
      REFUSED(VTEMPER_CANCELLED, "interrupt", vtemper_optimizer_run(ended, NULL));
      vtemper_set_interrupt(NULL, NULL);
      assert_int_equal(asking.asked, end_at);
      const int64_t done = report_of(ended).iteration;
      if (done > 0) OK(vtemper_optimizer_step(stepped, done, NULL));
      const topics a = optimizer_topics(ended), b = optimizer_topics(stepped);
      assert_same_bits(&a, &b);
      OK(vtemper_optimizer_run(ended, NULL)); /* nobody is asked any more */
      assert_int_equal(asking.asked, end_at);
      const topics finished = optimizer_topics(ended);
      assert_same_bits(&finished, &all);
      vtemper_optimizer_destroy(ended);
      vtemper_optimizer_destroy(stepped);
    }
  }
  vtemper_data_destroy(data);
}

static void test_infer_and_evaluate(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_optimizer* optimizer = slow_fit(data, "1");
  vtemper_model* model = NULL;
  OK(vtemper_optimizer_step(optimizer, 1, NULL));
  OK(vtemper_optimizer_model(optimizer, &model));
  caller asking = {.end_at = 1};
  double proportions[corpus_rows * corpus_topics], score = -7;
  vtemper_set_interrupt(answer, &asking);
  REFUSED(VTEMPER_CANCELLED, "interrupt",
          vtemper_model_infer(model, data, "proportions", NULL, proportions, corpus_rows * corpus_topics));
  asking.asked = 0;
  REFUSED(VTEMPER_CANCELLED, "interrupt", vtemper_model_evaluate(model, data, NULL, "elbo", NULL, &score));
  asking.asked = 0;
  REFUSED(VTEMPER_CANCELLED, "interrupt", vtemper_model_evaluate(model, data, NULL, "perplexity", NULL, &score));
  vtemper_set_interrupt(NULL, NULL);
  assert_true(score == -7);
  vtemper_model_destroy(model);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_run), cmocka_unit_test(test_infer_and_evaluate)};
  return cmocka_run_group_tests(tests, find_local_iterations, NULL);
}
