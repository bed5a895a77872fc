/* The callback of vtemper_set_interrupt: long calls poll it, also within a step; a cancelled call changes nothing;
 * other threads do not poll it. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fixtures.h"

typedef struct caller {
  int64_t asked;
  int64_t end_at; /* number of the poll that is answered with "end"; 0: never */
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
      OK(vtemper_optimizer_run(ended, NULL)); /* the callback is no longer called */
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

/* A call in which one piece of work, a row or a number, takes forever: the interrupt takes effect within it, on every
 * thread. (Rows of a factorial mixture converge.) */
typedef struct endless {
  const char* kind;
  const char* option; /* of the model */
  const char* value;
  const char* quantity; /* inferred, or evaluated if `evaluated` */
  bool evaluated;
  const char* limit; /* option of the call that makes it endless ... */
  const char* most;  /* ... at its largest value */
} endless;

static const endless endless_calls[] = {
    {"lda", "topics", "3", "proportions", false, "local_iterations", "1000000000"},
    {"deep_exponential_family", "latent", "3", "latent_mean", false, "local_iterations", "1000000000"},
    {"deep_exponential_family", "latent", "3", "log_marginal", true, "samples", "1000000000"},
    {"sigmoid_belief_network", "layers", "3", "log_marginal", true, "samples", "1000000000"},
    {"variational_autoencoder", "latent", "3", "log_marginal", true, "samples", "1000000000"},
    {"lda", "topics", "3", "log_normalizer", true, "partition_samples", "1000000"},
    {"hidden_markov", "states", "20", "log_normalizer", true, "partition_samples", "1000000"},
};

static vtemper_data* few_rows(const char* kind) {
  enum { ROWS = 4, COLUMNS = 5 };
  const double values[ROWS * COLUMNS] = {1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1};
  int64_t starts[ROWS + 1] = {0};
  int32_t columns[ROWS * COLUMNS];
  double words[ROWS * COLUMNS];
  for (int64_t i = 0; i < ROWS * COLUMNS; ++i) {
    columns[i] = (int32_t)(i % COLUMNS);
    words[i] = 1 + values[i];
    starts[i / COLUMNS + 1] = i + 1;
  }
  vtemper_data* data = NULL;
  if (strcmp(kind, "lda") == 0 || strcmp(kind, "deep_exponential_family") == 0) {
    OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, ROWS, COLUMNS, starts, VTEMPER_INT64, columns, VTEMPER_INT32, words,
                                VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &data));
  } else if (strcmp(kind, "hidden_markov") == 0) {
    OK(vtemper_data_from_sequences(ROWS, COLUMNS, starts, VTEMPER_INT64, columns, VTEMPER_INT32, 0, VTEMPER_COPY,
                                   NULL, NULL, &data));
  } else {
    OK(vtemper_data_from_dense(ROWS, COLUMNS, values, VTEMPER_DOUBLE, COLUMNS, 1, VTEMPER_COPY, NULL, NULL, &data));
  }
  return data;
}

static void test_endless_rows(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof endless_calls / sizeof endless_calls[0]; ++i) {
    const endless* call = &endless_calls[i];
    vtemper_data* data = few_rows(call->kind);
    vtemper_options* of_model = options_of(call->option, call->value, NULL);
    vtemper_model* model = NULL;
    OK(vtemper_model_create(call->kind, of_model, &model));
    OK(vtemper_model_initialize(model, data, 1));
    for (int threads = 1; threads <= 2; ++threads) {
      vtemper_options* of_call = options_of(call->limit, call->most, "threads", threads == 1 ? "1" : "2", NULL);
      if (strcmp(call->quantity, "log_normalizer") == 0) {
        OK(vtemper_options_set(of_call, "temperature", "2"));
        OK(vtemper_options_set(of_call, "temperature_normalizer", call->kind[0] == 'l' ? "monte_carlo" : "prior"));
      }
      if (call->limit[0] == 'l' && strcmp(call->kind, "deep_exponential_family") != 0)
        OK(vtemper_options_set(of_call, "local_tolerance", "0"));
      caller asking = {.end_at = 2};
      double out[64] = {0};
      vtemper_set_interrupt(answer, &asking);
      if (call->evaluated) {
        REFUSED(VTEMPER_CANCELLED, "interrupt",
                vtemper_model_evaluate(model, data, NULL, call->quantity, of_call, out));
      } else {
        REFUSED(VTEMPER_CANCELLED, "interrupt", vtemper_model_infer(model, data, call->quantity, of_call, out, 12));
      }
      vtemper_set_interrupt(NULL, NULL);
      vtemper_options_destroy(of_call);
    }
    vtemper_options_destroy(of_model);
    vtemper_model_destroy(model);
    vtemper_data_destroy(data);
  }
}

/* One long sequence: the interrupt takes effect within it. */
typedef struct long_call {
  int states;
  const char* action; /* step, elbo or the quantity inferred */
  bool contradicts;   /* no state explains two adjacent symbols: computed in log space */
  int32_t shortest;   /* symbols of the first attempt */
} long_call;

static const long_call long_calls[] = {{200, "step", false, 4000},
                                       {200, "path", false, 4000},
                                       {40, "step", true, 4000},
                                       {40, "marginals", true, 4000},
                                       {800, "step", true, 8}}; /* few symbols, but each takes long */

/* The symbols in cyclic order. */
static vtemper_data* long_sequence(int32_t length, int32_t symbols) {
  int32_t* all = malloc((size_t)length * sizeof(int32_t));
  assert_non_null(all);
  for (int32_t i = 0; i < length; ++i) all[i] = i % symbols;
  const int64_t starts[2] = {0, length};
  vtemper_data* data = NULL;
  OK(vtemper_data_from_sequences(1, symbols, starts, VTEMPER_INT64, all, VTEMPER_INT32, 0, VTEMPER_COPY, NULL, NULL,
                                 &data));
  free(all);
  return data;
}

/* A matrix whose rows concentrate on one column each. */
static void set_sharp(vtemper_model* model, const char* name, int rows, int columns) {
  double* values = malloc((size_t)(rows * columns) * sizeof(double));
  assert_non_null(values);
  for (int i = 0; i < rows * columns; ++i) values[i] = i % columns == i / columns % columns ? 1 : 1e-3;
  OK(vtemper_model_set(model, name, values, (int64_t)rows * columns));
  free(values);
}

static vtemper_model* markov_model(const long_call* call, const vtemper_data* data, int symbols) {
  char states[8];
  snprintf(states, sizeof states, "%d", call->states);
  vtemper_options* options = options_of("states", states, NULL);
  vtemper_model* model = NULL;
  OK(vtemper_model_create("hidden_markov", options, &model));
  vtemper_options_destroy(options);
  OK(vtemper_model_initialize(model, data, 1));
  if (call->contradicts) {
    set_sharp(model, "transition", call->states, call->states);
    set_sharp(model, "emission", call->states, symbols);
  }
  return model;
}

static vtemper_status act(const long_call* call, int32_t length, caller* asking) {
  enum { SYMBOLS = 5 };
  vtemper_data* data = long_sequence(length, SYMBOLS);
  vtemper_model* model = markov_model(call, data, SYMBOLS);
  vtemper_optimizer* optimizer = optimizer_of(
      model, data, options_of("method", "vi", "threads", "1", "moves", "off", "max_iterations", "3", NULL));
  vtemper_options* one_thread = options_of("threads", "1", NULL);
  const int64_t size = (int64_t)length * (strcmp(call->action, "path") == 0 ? 1 : call->states);
  double* out = malloc((size_t)size * sizeof(double));
  assert_non_null(out);
  asking->asked = 0;
  vtemper_set_interrupt(answer, asking);
  const vtemper_status status = strcmp(call->action, "step") == 0
                                    ? vtemper_optimizer_step(optimizer, 1, NULL)
                                    : vtemper_model_infer(model, data, call->action, one_thread, out, size);
  vtemper_set_interrupt(NULL, NULL);
  free(out);
  vtemper_options_destroy(one_thread);
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
  return status;
}

static void test_long_sequences(void** state) {
  (void)state;
  const double long_enough = 0.3, max_between_questions = 0.2; /* processor seconds */
  for (size_t i = 0; i < sizeof long_calls / sizeof long_calls[0]; ++i) {
    const long_call* call = &long_calls[i];
    double seconds = 0;
    for (int32_t length = call->shortest; seconds < long_enough; length *= 2) {
      caller asking = {.end_at = 0};
      const clock_t began = clock();
      OK(act(call, length, &asking));
      seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
      if (seconds < long_enough) continue;
      print_message("%d symbols, %d states%s, %s: asked %d times in %.2f seconds\n", (int)length, call->states,
                    call->contradicts ? ", in logs" : "", call->action, (int)asking.asked, seconds);
      assert_true((double)asking.asked * max_between_questions >= seconds);
      asking.end_at = 2; /* not later: on a busy machine more questions are asked in the same work */
      REFUSED(VTEMPER_CANCELLED, "interrupt", act(call, length, &asking));
    }
  }
}

/* Asks to end from now on: the next poll comes long enough after the last one to be a question. */
static void end_the_next_call(void) {
  static caller asking;
  asking = (caller){.end_at = 1};
  vtemper_set_interrupt(answer, &asking);
  const struct timespec wait = {0, 60 * 1000 * 1000};
  assert_int_equal(nanosleep(&wait, NULL), 0);
}

/* Calls that are one pass over rows or over a file poll as well, however little they do with a row. */
static void test_passes(void** state) {
  (void)state;
  vtemper_data *data = corpus_data(), *first = NULL, *second = NULL;
  vtemper_model* model = lda_of(options_of("topics", "4", NULL));
  OK(vtemper_model_initialize(model, data, 1));
  double score = -7, scores[4] = {-7, -7, -7, -7};
  end_the_next_call();
  REFUSED(VTEMPER_CANCELLED, "interrupt", vtemper_model_evaluate(model, data, NULL, "coherence_npmi", NULL, &score));
  end_the_next_call();
  REFUSED(VTEMPER_CANCELLED, "interrupt",
          vtemper_model_evaluate_topics(model, data, "coherence_umass", NULL, scores, 4));
  assert_true(score == -7 && scores[0] == -7);
  end_the_next_call();
  REFUSED(VTEMPER_CANCELLED, "interrupt", vtemper_data_split_counts(data, 0.5, 1, &first, &second));
  assert_true(first == NULL && second == NULL);
  vtemper_set_interrupt(NULL, NULL);
  vtemper_model_destroy(model);

  char path[] = "/tmp/vtemper-passes-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  OK(vtemper_data_write(data, path));
  vtemper_data_destroy(data);
  OK(vtemper_data_read(path, "mapped", &data));
  end_the_next_call();
  REFUSED(VTEMPER_CANCELLED, "interrupt", vtemper_data_verify(data));
  end_the_next_call();
  REFUSED(VTEMPER_CANCELLED, "interrupt", vtemper_data_write(data, path)); /* verifies first */
  vtemper_set_interrupt(NULL, NULL);
  OK(vtemper_data_verify(data));
  vtemper_data_destroy(data);
  OK(vtemper_data_read(path, "mapped", &data)); /* as it was */
  vtemper_data_destroy(data);
  assert_int_equal(unlink(path), 0);

  data = few_rows("gaussian_mixture");
  OK(vtemper_model_create("gaussian_mixture", NULL, &model));
  vtemper_optimizer* optimizer = NULL;
  end_the_next_call();
  REFUSED(VTEMPER_CANCELLED, "interrupt", vtemper_optimizer_create(model, data, NULL, &optimizer));
  assert_null(optimizer);
  int64_t columns = -1;
  OK(vtemper_model_columns(model, &columns));
  assert_int_equal(columns, 0); /* not initialised */
  vtemper_set_interrupt(NULL, NULL);
  OK(vtemper_optimizer_create(model, data, NULL, &optimizer));
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_run), cmocka_unit_test(test_infer_and_evaluate),
                                     cmocka_unit_test(test_endless_rows), cmocka_unit_test(test_long_sequences),
                                     cmocka_unit_test(test_passes)};
  return cmocka_run_group_tests(tests, find_local_iterations, NULL);
}
