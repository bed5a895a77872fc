/* After the first steps of a fit, a step allocates nothing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../api/fixtures.h"
#include "failing_memory.h"

/** Steps before counting: every row has been in a batch, the trace has had its first rows, threads exist. */
enum { first_steps = 8, counted_steps = 16 };

/** Takes steps with `optimizer` and counts allocations; `what` describes the case in a failure. Destroys all three.
 */
static void count_steps(vtemper_optimizer* optimizer, vtemper_model* model, vtemper_data* data, const char* what) {
  vtemper_report report = {.struct_size = sizeof report};
  OK(vtemper_optimizer_step(optimizer, first_steps, &report));
  for (int i = 0; i < counted_steps; ++i) {
    atomic_store(&memory_calls, 0);
    const vtemper_status status = vtemper_optimizer_step(optimizer, 1, &report);
    const long calls = atomic_load(&memory_calls);
    OK(status);
    if (calls != 0) fail_msg("%s: step %d allocated %ld times", what, (int)report.iteration, calls);
  }
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

/** more: up to two further options, ending with NULL. */
static void check(const char* method, const char* batch_size, const char* threads, const char* precision,
                  const char* elbo_every, const char* const more[4]) {
  vtemper_data* data = corpus_data();
  vtemper_options* model_options = options_of("topics", "4", "precision", precision, NULL);
  vtemper_options* options =
      options_of("method", method, "batch_size", batch_size, "threads", threads, "max_iterations", "30",
                 "report_every", "3", "elbo_every", elbo_every, more[0], more[1], more[2], more[3], NULL);
  vtemper_model* model = lda_of(model_options);
  vtemper_optimizer* optimizer = optimizer_of(model, data, options);
  char what[200];
  snprintf(what, sizeof what, "%s, batch_size %s, %s threads, %s, elbo_every %s", method, batch_size, threads,
           precision, elbo_every);
  count_steps(optimizer, model, data, what);
}

static void check_options(const char* method, const char* batch_size, const char* const more[4]) {
  const char *const threads[] = {"1", "2"}, *const precisions[] = {"float", "double"}, *const elbos[] = {"0", "5"};
  for (int choice = 0; choice < 4; ++choice) {
    check(method, batch_size, threads[choice / 2], precisions[choice % 2], elbos[(choice + 1) / 2 % 2], more);
  }
}

static void check_method(const char* method, const char* batch_size) {
  const char* const nothing[4] = {NULL, NULL, NULL, NULL};
  check_options(method, batch_size, nothing);
}

static void test_vi(void** state) {
  (void)state;
  check_method("vi", "0");
}

static void test_svi(void** state) {
  (void)state;
  check_method("svi", "16");
}

static void test_annealing(void** state) {
  (void)state;
  /* A step that looks for moves, once T is 1, reads a sample of the rows. */
  const char* const no_moves[4] = {"moves", "off", NULL, NULL};
  check_options("annealing", "16", no_moves);
  check_method("annealing", "0");
}

static void test_tempering(void** state) {
  (void)state;
  check_method("tempering", "16");
  check_method("tempering", "0");
}

static void test_local_tempering(void** state) {
  (void)state;
  check_method("local_tempering", "16");
  check_method("local_tempering", "0");
}

static void test_entropy_annealing(void** state) {
  (void)state;
  check_method("entropy_annealing", "16");
  check_method("entropy_annealing", "0");
}

static void test_stochastic_annealing(void** state) {
  (void)state;
  check_method("stochastic_annealing", "16");
  check_method("stochastic_annealing", "0");
}

/* The rate begins to move the globals at the tenth step. */
static void test_adaptive(void** state) {
  (void)state;
  const char* const adaptive[4] = {"step_size", "adaptive", "step_size_initial_steps", "10"};
  check_options("svi", "16", adaptive);
}

/* log C(T), which depends on the topics, is recomputed in every other step. */
static void test_plug_in(void** state) {
  (void)state;
  const char* const plug_in[4] = {"temperature_normalizer", "plug_in", "temperature_refresh", "2"};
  check_options("tempering", "16", plug_in);
}

/* The other kinds. Destroys `data` and `model_options`. */
static void check_kind(const char* kind, vtemper_data* data, vtemper_options* model_options, const char* method,
                       const char* batch_size, const char* threads) {
  vtemper_options* options = options_of("method", method, "batch_size", batch_size, "threads", threads,
                                        "max_iterations", "30", "report_every", "3", "elbo_every", "2", NULL);
  /* The first step of a move out of an optimum takes a copy of the model. */
  const int makes_moves = strcmp(kind, "hidden_markov") == 0 || strcmp(kind, "factorial_mixture") == 0;
  if (makes_moves) OK(vtemper_options_set(options, "moves", "off"));
  vtemper_model* model = NULL;
  OK(vtemper_model_create(kind, model_options, &model));
  vtemper_options_destroy(model_options);
  vtemper_optimizer* optimizer = optimizer_of(model, data, options);
  char what[200];
  snprintf(what, sizeof what, "%s, %s, batch_size %s, %s threads", kind, method, batch_size, threads);
  count_steps(optimizer, model, data, what);
}

static const char* const full_methods[] = {"vi",        "annealing",       "entropy_annealing",
                                           "tempering", "local_tempering", "stochastic_annealing"};
enum { full_method_count = sizeof full_methods / sizeof *full_methods };

/* Dense rows in three clusters; one value in `missing` is missing. */
static vtemper_data* dense_data(int missing) {
  enum { rows = 150, columns = 3 };
  double values[rows * columns];
  uint32_t state = 5;
  for (int i = 0; i < rows * columns; ++i) {
    const double value = (double)(i / columns % 3) * 4 + (double)corpus_random(&state) / 32768.0;
    values[i] = missing > 0 && i % missing == 0 ? NAN : value;
  }
  vtemper_data* data = NULL;
  OK(vtemper_data_from_dense(rows, columns, values, VTEMPER_DOUBLE, columns, 1, VTEMPER_COPY, NULL, NULL, &data));
  return data;
}

static void check_gaussian(const char* covariance, const char* method, const char* batch_size, const char* threads) {
  check_kind("gaussian_mixture", dense_data(11), options_of("components", "4", "covariance", covariance, NULL),
             method, batch_size, threads);
}

static void test_gaussian_mixture(void** state) {
  (void)state;
  for (int i = 0; i < full_method_count; ++i) {
    check_gaussian("normal_wishart", full_methods[i], "0", "2");
    check_gaussian("independent", full_methods[i], "0", "1");
  }
  check_gaussian("normal_wishart", "svi", "16", "1");
  check_gaussian("independent", "svi", "16", "2");
}

static void check_factorial(const char* learned, const char* method, const char* batch_size, const char* threads) {
  check_kind(
      "factorial_mixture", dense_data(0),
      options_of("components", "5", "learn_activation_probability", learned, "learn_noise_variance", learned, NULL),
      method, batch_size, threads);
}

static void test_factorial_mixture(void** state) {
  (void)state;
  for (int i = 0; i < full_method_count; ++i) {
    check_factorial("false", full_methods[i], "0", "2");
    check_factorial("false", full_methods[i], "70", "1");
  }
  check_factorial("true", "vi", "0", "1");
  check_factorial("true", "annealing", "0", "2");
  check_factorial("false", "svi", "16", "1");
  check_factorial("true", "svi", "70", "2");
  const char* const along_gradients[] = {"vi", "entropy_annealing", "proximity"};
  for (size_t i = 0; i < sizeof along_gradients / sizeof *along_gradients; ++i) {
    check_kind("factorial_mixture", dense_data(0), options_of("components", "4", "updates", "gradient", NULL),
               along_gradients[i], i == 1 ? "0" : "16", i == 1 ? "1" : "2");
  }
}

/* Sequences of 0 to 39 symbols. */
static vtemper_data* sequence_data(void) {
  enum { rows = 90, longest = 39, alphabet = 6 };
  int64_t offsets[rows + 1] = {0};
  int32_t symbols[rows * longest];
  uint32_t state = 7;
  for (int row = 0; row < rows; ++row) {
    const int length = row % 9 == 4 ? 0 : (int)(corpus_random(&state) % longest) + 1;
    offsets[row + 1] = offsets[row] + length;
    for (int64_t i = offsets[row]; i < offsets[row + 1]; ++i)
      symbols[i] = (int32_t)((corpus_random(&state) >> 4) % alphabet);
  }
  vtemper_data* data = NULL;
  OK(vtemper_data_from_sequences(rows, alphabet, offsets, VTEMPER_INT64, symbols, VTEMPER_INT32, 0, VTEMPER_COPY,
                                 NULL, NULL, &data));
  return data;
}

static void check_hidden_markov(const char* states, const char* method, const char* batch_size, const char* threads) {
  check_kind("hidden_markov", sequence_data(), options_of("states", states, NULL), method, batch_size, threads);
}

static void test_hidden_markov(void** state) {
  (void)state;
  for (int i = 0; i < full_method_count; ++i) {
    check_hidden_markov("3", full_methods[i], "0", "2");
    check_hidden_markov("10", full_methods[i], "0", "1");
    check_hidden_markov("9", full_methods[i], "16", "2");
  }
  check_hidden_markov("70", "vi", "0", "2");
  check_hidden_markov("3", "svi", "5", "1");
  check_hidden_markov("16", "svi", "30", "2");
}

/* Dense binary rows, and models fitted by gradients. */
static void check_network(const char* kind, const char* option, const char* value, const char* average,
                          const char* threads) {
  enum { rows = 60, columns = 9 };
  double values[rows * columns];
  uint32_t state = 5;
  for (int i = 0; i < rows * columns; ++i) values[i] = corpus_random(&state) % 2;
  vtemper_data* data = NULL;
  OK(vtemper_data_from_dense(rows, columns, values, VTEMPER_DOUBLE, columns, 1, VTEMPER_COPY, NULL, NULL, &data));
  const char* layers = strcmp(kind, "variational_autoencoder") == 0 ? "hidden" : "layers";
  vtemper_options* model_options = options_of(layers, "5,4", "samples", "3", NULL);
  vtemper_options* options =
      options_of("batch_size", "16", "threads", threads, "max_iterations", "30", "report_every", "3", NULL);
  if (option != NULL) OK(vtemper_options_set(options, option, value));
  if (average != NULL) OK(vtemper_options_set(options, "proximity_average", average));
  vtemper_model* model = NULL;
  OK(vtemper_model_create(kind, model_options, &model));
  vtemper_options_destroy(model_options);
  vtemper_optimizer* optimizer = optimizer_of(model, data, options);
  char what[200];
  snprintf(what, sizeof what, "%s, %s, %s threads", kind, value, threads);
  count_steps(optimizer, model, data, what);
}

static void check_networks(const char* kind, const char* const* statistics) {
  check_network(kind, NULL, NULL, NULL, "1");
  check_network(kind, "method", "entropy_annealing", NULL, "2");
  for (; *statistics != NULL; ++statistics) {
    check_network(kind, "proximity", *statistics, "statistic", "2");
    check_network(kind, "proximity", *statistics, "parameters", "1");
  }
}

static void test_sigmoid_belief_network(void** state) {
  (void)state;
  const char* const statistics[] = {"entropy", "kl", "mean_variance", NULL};
  check_networks("sigmoid_belief_network", statistics);
}

static void test_variational_autoencoder(void** state) {
  (void)state;
  const char* const statistics[] = {"entropy", "kl", "mean_variance", "orthogonal", NULL};
  check_networks("variational_autoencoder", statistics);
}

static void check_family(const char* control_variate, const char* method, const char* batch_size,
                         const char* threads) {
  check_kind("deep_exponential_family", corpus_data(),
             options_of("latent", "4", "samples", "5", "control_variate", control_variate, NULL), method, batch_size,
             threads);
}

static void test_deep_exponential_family(void** state) {
  (void)state;
  const char* const methods[] = {"vi", "entropy_annealing", "proximity"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
    check_family("round_robin", methods[i], "16", "2");
    check_family("leave_one_out", methods[i], "0", "1");
  }
}

/* The counter does count an allocation. */
static void test_counter(void** state) {
  (void)state;
  vtemper_data *data = corpus_data(), *selected = NULL;
  const int64_t rows[1] = {0};
  atomic_store(&memory_calls, 0);
  OK(vtemper_data_select(data, rows, 1, &selected));
  assert_true(atomic_load(&memory_calls) > 3);
  vtemper_data_destroy(selected);
  vtemper_data_destroy(data);
}

int main(void) {
  if (!can_fail_memory()) {
    puts("another malloc is in use (a sanitizer, valgrind)");
    return 77;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counter),
      cmocka_unit_test(test_vi),
      cmocka_unit_test(test_svi),
      cmocka_unit_test(test_annealing),
      cmocka_unit_test(test_tempering),
      cmocka_unit_test(test_local_tempering),
      cmocka_unit_test(test_gaussian_mixture),
      cmocka_unit_test(test_factorial_mixture),
      cmocka_unit_test(test_hidden_markov),
      cmocka_unit_test(test_entropy_annealing),
      cmocka_unit_test(test_sigmoid_belief_network),
      cmocka_unit_test(test_variational_autoencoder),
      cmocka_unit_test(test_deep_exponential_family),
      cmocka_unit_test(test_stochastic_annealing),
      cmocka_unit_test(test_adaptive),
      cmocka_unit_test(test_plug_in),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
