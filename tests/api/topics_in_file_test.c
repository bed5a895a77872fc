/* LDA with its topics in a file (parameters_folder): the same bits as in memory, for steps, growth, checkpoints and
 * models that are read in place; memory; what is refused; and the folder is empty afterwards. */
#define _GNU_SOURCE
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixtures.h"
#include "support/assert.h"
#include "support/valgrind.h"

static char folder[] = "/tmp/vtemper-topics-XXXXXX";

static int make_folder(void** state) {
  (void)state;
  return mkdtemp(folder) == NULL;
}

static int files_in_folder(void) {
  int count = -2; /* "." and ".." */
  DIR* stream = opendir(folder);
  assert_non_null(stream);
  while (readdir(stream) != NULL) ++count;
  closedir(stream);
  return count;
}

/* Also checks that the tests left nothing in it. */
static int remove_folder(void** state) {
  (void)state;
  return rmdir(folder);
}

static const char* path_in_folder(const char* name) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static vtemper_model* lda_in(const char* where, const char* count, const char* precision, const char* posterior) {
  return lda_of(options_of("topics", count, "precision", precision, "topic_posterior", posterior, "parameters_folder",
                           where, NULL));
}

/* Topics in a file make no moves. */
static vtemper_options* run_options(const char* method) {
  return options_of("method", method, "moves", "off", "batch_size", strcmp(method, "vi") == 0 ? "0" : "17",
                    "max_iterations", under_valgrind() ? "9" : "30", "seed", "5", "threads",
                    strcmp(method, "annealing") == 0 ? "2" : "1", "elbo_every", under_valgrind() ? "3" : "10", NULL);
}

static void assert_same_parameter(const vtemper_model* a, const vtemper_model* b, const char* name) {
  int64_t length_a = 0, length_b = 0;
  double *of_a = parameter_of(a, name, &length_a), *of_b = parameter_of(b, name, &length_b);
  assert_int_equal(length_a, length_b);
  assert_memory_equal(of_a, of_b, (size_t)length_a * sizeof *of_a);
  free(of_a);
  free(of_b);
}

static void assert_same_model(const vtemper_model* a, const vtemper_model* b) {
  for (const char* const* name = (const char* const[]){"lambda", "alpha", "tokens", "duplicate_of", NULL}; *name;
       ++name) {
    assert_same_parameter(a, b, *name);
  }
}

static void assert_same_report(const vtemper_optimizer* a, const vtemper_optimizer* b) {
  vtemper_report of_a = {.struct_size = sizeof of_a}, of_b = {.struct_size = sizeof of_b};
  OK(vtemper_optimizer_report(a, &of_a));
  OK(vtemper_optimizer_report(b, &of_b));
  of_a.seconds = of_b.seconds = 0;
  assert_memory_equal(&of_a, &of_b, sizeof of_a);
}

/* Steps both fits, the one in the file with a checkpoint in a buffer and one in a file in between. */
static void compare_fits(const char* count, const char* method, const char* precision, const char* posterior) {
  vtemper_data* data = corpus_data();
  vtemper_model* in_memory = lda_in("", count, precision, posterior);
  vtemper_model* in_file = lda_in(folder, count, precision, posterior);
  vtemper_optimizer* memory_run = optimizer_of(in_memory, data, run_options(method));
  vtemper_optimizer* file_run = optimizer_of(in_file, data, run_options(method));
  vtemper_model_destroy(in_file);
  for (int part = 0; part < 3; ++part) {
    OK(vtemper_optimizer_step(memory_run, under_valgrind() ? 3 : 10, NULL));
    OK(vtemper_optimizer_step(file_run, under_valgrind() ? 3 : 10, NULL));
    assert_same_report(memory_run, file_run);
    OK(vtemper_optimizer_model(file_run, &in_file));
    assert_same_model(in_memory, in_file);
    vtemper_model_destroy(in_file);
    vtemper_optimizer* resumed = NULL;
    if (part == 0) {
      int64_t size = 0;
      char* bytes = checkpoint_of(file_run, &size);
      vtemper_optimizer_destroy(file_run);
      OK(vtemper_optimizer_load_buffer(bytes, size, data, &resumed));
      free(bytes);
    } else {
      const char* path = path_in_folder("checkpoint");
      OK(vtemper_optimizer_save(file_run, path));
      vtemper_optimizer_destroy(file_run);
      OK(vtemper_optimizer_load(path, data, &resumed));
      assert_int_equal(unlink(path), 0);
    }
    file_run = resumed;
  }
  vtemper_optimizer_destroy(memory_run);
  vtemper_optimizer_destroy(file_run);
  vtemper_model_destroy(in_memory);
  vtemper_data_destroy(data);
  assert_int_equal(files_in_folder(), 0);
}

static void test_same_bits(void** state) {
  (void)state;
  const char* const methods[] = {"svi", "annealing", "tempering", "local_tempering", "entropy_annealing", "vi"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
    compare_fits("4", methods[i], "float", "point");
    compare_fits("4", methods[i], "double", "dirichlet");
  }
}

/* Topics are split on the way, which moves all rows; checkpoints hold fewer topics than the model has. */
static void test_growth(void** state) {
  (void)state;
  compare_fits("130", "annealing", "float", "point");
  compare_fits("61", "annealing", "double", "dirichlet");
}

static char* content_of(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  *size = (size_t)ftell(file);
  rewind(file);
  char* bytes = malloc(*size);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

static void assert_content(const char* path, const char* bytes, size_t size) {
  size_t now = 0;
  char* content = content_of(path, &now);
  assert_int_equal(now, size);
  assert_memory_equal(content, bytes, size);
  free(content);
}

/* A saved model is read in place; steps and new topics are made in a file of its own, also those of its copies. */
static void test_loaded_model(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_model *in_memory = lda_in("", "4", "float", "point"), *in_file = lda_in(folder, "4", "float", "point");
  vtemper_optimizer* run = optimizer_of(in_memory, data, run_options("svi"));
  OK(vtemper_optimizer_step(run, 9, NULL));
  vtemper_optimizer_destroy(run);
  run = optimizer_of(in_file, data, run_options("svi"));
  OK(vtemper_optimizer_step(run, 9, NULL));
  vtemper_optimizer_destroy(run);

  const char* path = path_in_folder("model");
  vtemper_model *loaded = NULL, *copy = NULL;
  OK(vtemper_model_save(in_file, path));
  OK(vtemper_model_load(path, &loaded));
  OK(vtemper_model_copy(loaded, &copy));
  size_t size = 0;
  char* content = content_of(path, &size);
  assert_same_model(in_memory, loaded);
  assert_same_model(in_memory, copy);
  double of_memory[corpus_rows * 4], of_loaded[corpus_rows * 4];
  OK(vtemper_model_infer(in_memory, data, "proportions", NULL, of_memory, corpus_rows * 4));
  OK(vtemper_model_infer(loaded, data, "proportions", NULL, of_loaded, corpus_rows * 4));
  assert_memory_equal(of_memory, of_loaded, sizeof of_memory);
  assert_int_equal(files_in_folder(), 1);

  vtemper_optimizer* memory_run = optimizer_of(in_memory, data, run_options("svi"));
  run = optimizer_of(loaded, data, run_options("svi"));
  OK(vtemper_optimizer_step(memory_run, 7, NULL));
  OK(vtemper_optimizer_step(run, 7, NULL));
  assert_same_model(in_memory, loaded);
  vtemper_optimizer_destroy(run);
  vtemper_optimizer_destroy(memory_run);
  assert_content(path, content, size);

  const topics before = model_topics(loaded);
  topics given;
  for (int i = 0; i < corpus_topics * corpus_columns; ++i) given.lambda[i] = 0.5 + i;
  OK(vtemper_model_set(copy, "lambda", given.lambda, corpus_topics * corpus_columns));
  const topics set = model_topics(copy), after = model_topics(loaded);
  assert_same_bits(&set, &given);
  assert_same_bits(&after, &before);
  assert_content(path, content, size);
  vtemper_model* second = NULL;
  OK(vtemper_model_copy(loaded, &second)); /* of topics in a file of their own */
  OK(vtemper_model_set(loaded, "lambda", given.lambda, corpus_topics * corpus_columns));
  const topics kept = model_topics(second);
  assert_same_bits(&kept, &before);

  free(content);
  assert_int_equal(unlink(path), 0);
  vtemper_model_destroy(second);
  vtemper_model_destroy(copy);
  vtemper_model_destroy(loaded);
  vtemper_model_destroy(in_file);
  vtemper_model_destroy(in_memory);
  vtemper_data_destroy(data);
}

static void refuse_model(const char* word, vtemper_options* options) {
  vtemper_model* model = NULL;
  REFUSED(VTEMPER_ERROR_UNSUPPORTED, "parameters_folder", vtemper_model_create("lda", options, &model));
  assert_non_null(strstr(vtemper_last_error(), word));
  assert_null(model);
  vtemper_options_destroy(options);
}

static void refuse_method(const char* word, const char* posterior, vtemper_options* options) {
  vtemper_data* data = corpus_data();
  vtemper_model* model = lda_in(folder, "4", "float", posterior);
  vtemper_optimizer* optimizer = NULL;
  REFUSED(VTEMPER_ERROR_UNSUPPORTED, "parameters_folder", vtemper_optimizer_create(model, data, options, &optimizer));
  if (strstr(vtemper_last_error(), word) == NULL) fail_msg("no %s in: %s", word, vtemper_last_error());
  assert_null(optimizer);
  vtemper_options_destroy(options);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

static void test_refused(void** state) {
  (void)state;
  refuse_model("eta", options_of("topics", "2", "eta", "1,2,3,4", "parameters_folder", folder, NULL));
  refuse_model("learn_eta", options_of("topics", "2", "learn_eta", "true", "topic_posterior", "dirichlet",
                                       "parameters_folder", folder, NULL));
  refuse_method("adaptive", "dirichlet", options_of("method", "svi", "step_size", "adaptive", NULL));
  refuse_method("stochastic annealing", "point", options_of("method", "stochastic_annealing", NULL));
  refuse_method("restarts", "point", options_of("method", "vi", "restarts", "2", NULL));
  refuse_method("plug_in", "point", options_of("method", "tempering", "temperature_normalizer", "plug_in", NULL));
  refuse_method("moment", "dirichlet", options_of("method", "tempering", "temperature_normalizer", "moment", NULL));
  assert_int_equal(files_in_folder(), 0);
}

static void refuse_folder(const char* where, const char* word) {
  vtemper_data* data = corpus_data();
  vtemper_model* model = lda_in(where, "4", "float", "point");
  vtemper_optimizer* optimizer = NULL;
  int64_t columns = -1;
  REFUSED(VTEMPER_ERROR_IO, where, vtemper_model_initialize(model, data, 1));
  assert_non_null(strstr(vtemper_last_error(), word));
  REFUSED(VTEMPER_ERROR_IO, where, vtemper_optimizer_create(model, data, NULL, &optimizer));
  assert_null(optimizer);
  OK(vtemper_model_columns(model, &columns));
  assert_int_equal(columns, 0);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

static void test_unusable_folders(void** state) {
  (void)state;
  refuse_folder(path_in_folder("missing"), "No such file");
  refuse_folder("/dev/null", "Not a directory");
  if (geteuid() != 0) refuse_folder("/", "Permission denied");

  /* A disk without room, by a limit on the size of files: no signal. */
  struct rlimit old;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  const struct rlimit small = {1000, old.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  refuse_folder(folder, "2560 bytes"); /* 40 words x 16 floats, 4 topics padded to 16 */
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  assert_int_equal(files_in_folder(), 0);
}

/* A checkpoint can be resumed once its folder exists again. */
static void test_folder_gone(void** state) {
  (void)state;
  char inner[64];
  snprintf(inner, sizeof inner, "%s/inner", folder);
  assert_int_equal(mkdir(inner, 0700), 0);
  vtemper_data* data = corpus_data();
  vtemper_model* model = lda_in(inner, "4", "float", "point");
  vtemper_optimizer* run = optimizer_of(model, data, run_options("svi"));
  OK(vtemper_optimizer_step(run, 5, NULL));
  assert_int_equal(rmdir(inner), 0); /* nothing is in it */
  const topics before = model_topics(model);
  OK(vtemper_optimizer_step(run, 5, NULL));
  const char* path = path_in_folder("checkpoint");
  OK(vtemper_optimizer_save(run, path));
  vtemper_optimizer* resumed = NULL;
  OK(vtemper_optimizer_load(path, data, &resumed));
  REFUSED(VTEMPER_ERROR_IO, inner, vtemper_optimizer_step(resumed, 1, NULL));
  int64_t size = 0; /* a model in memory is not read in place */
  char* bytes = model_bytes_of(model, &size);
  vtemper_model* loaded = NULL;
  REFUSED(VTEMPER_ERROR_IO, inner, vtemper_model_load_buffer(bytes, size, &loaded));
  free(bytes);
  assert_int_equal(mkdir(inner, 0700), 0);
  OK(vtemper_optimizer_step(resumed, 1, NULL));
  OK(vtemper_optimizer_step(run, 1, NULL));
  const topics one = optimizer_topics(run), other = optimizer_topics(resumed);
  assert_same_bits(&one, &other);
  assert_true(memcmp(&one, &before, sizeof one) != 0);
  assert_int_equal(rmdir(inner), 0);
  assert_int_equal(unlink(path), 0);
  vtemper_optimizer_destroy(resumed);
  vtemper_optimizer_destroy(run);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

/* A child shares the file, so it may read the topics, but not change them under its parent. */
static void test_fork(void** state) {
  (void)state;
  vtemper_data* data = corpus_data();
  vtemper_model* model = lda_in(folder, "4", "float", "point");
  vtemper_optimizer* run = optimizer_of(model, data, run_options("svi"));
  OK(vtemper_optimizer_step(run, 5, NULL));
  const topics before = model_topics(model);
  const pid_t process = fork();
  assert_true(process >= 0);
  if (process == 0) {
    const topics seen = model_topics(model);
    const int refused = vtemper_optimizer_step(run, 1, NULL) == VTEMPER_ERROR_STATE &&
                        strstr(vtemper_last_error(), "parameters_folder") != NULL;
    vtemper_optimizer_destroy(run);
    vtemper_model_destroy(model);
    vtemper_data_destroy(data);
    _exit(refused && memcmp(&seen, &before, sizeof seen) == 0 ? 0 : 1);
  }
  int status = -1;
  assert_int_equal(waitpid(process, &status, 0), process);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const topics after = model_topics(model);
  assert_same_bits(&after, &before);
  OK(vtemper_optimizer_step(run, 1, NULL));
  vtemper_optimizer_destroy(run);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
}

/* ---- More topics than a step has words ---- */

enum { many_words = 84000, many_topics = 100, documents = 300, words_of_document = 40 };
static const double all_topics = 8.0 * many_words * 112; /* bytes: 100 doubles, padded to 112 */

static vtemper_data* wide_data(void) {
  static int64_t offsets[documents + 1];
  static int32_t indices[documents * words_of_document];
  static double values[documents * words_of_document];
  uint32_t random = 5;
  for (int64_t row = 0; row < documents; ++row) {
    offsets[row + 1] = (row + 1) * words_of_document;
    for (int64_t i = 0; i < words_of_document; ++i) {
      const int32_t part = many_words / words_of_document;
      indices[row * words_of_document + i] = (int32_t)(i * part + (int32_t)(corpus_random(&random) % (uint32_t)part));
      values[row * words_of_document + i] = 1 + (double)(corpus_random(&random) % 3);
    }
  }
  vtemper_data* data = NULL;
  OK(vtemper_data_from_counts(VTEMPER_BY_ROWS, documents, many_words, offsets, VTEMPER_INT64, indices, VTEMPER_INT32,
                              values, VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &data));
  return data;
}

/* Anonymous memory of this process in bytes; negative if the system does not report it. */
static double anonymous_memory(void) {
  double kilobytes = -1;
  char line[256];
  FILE* status = fopen("/proc/self/status", "r");
  if (status == NULL) return -1;
  while (fgets(line, sizeof line, status) != NULL) sscanf(line, "RssAnon: %lf", &kilobytes);
  fclose(status);
  return kilobytes < 0 ? -1 : kilobytes * 1024;
}

typedef struct largest_memory {
  double before, largest;
} largest_memory;

static int watch_memory(const vtemper_report* report, void* user) {
  (void)report;
  largest_memory* memory = user;
  memory->largest = fmax(memory->largest, anonymous_memory() - memory->before);
  return 0;
}

/* A fit from its start to a saved model, read in place. */
static largest_memory wide_fit(const char* where, const vtemper_data* data, double* told, topics* sample) {
  static double proportions[documents * many_topics];
  largest_memory memory = {anonymous_memory(), 0};
  vtemper_model *model = lda_in(where, "100", "double", "point"), *loaded = NULL;
  vtemper_options* options = options_of("method", "annealing", "moves", "off", "batch_size", "50", "max_iterations",
                                        "40", "seed", "2", "report_every", "1", "threads", "1", NULL);
  OK(vtemper_model_fit_memory(model, data, options, told));
  vtemper_optimizer* run = optimizer_of(model, data, options);
  OK(vtemper_optimizer_set_monitor(run, watch_memory, &memory));
  OK(vtemper_optimizer_run(run, NULL));
  vtemper_optimizer_destroy(run);
  const char* path = path_in_folder("model");
  OK(vtemper_model_save(model, path));
  watch_memory(NULL, &memory);
  vtemper_model_destroy(model);
  OK(vtemper_model_load(path, &loaded));
  OK(vtemper_model_infer(loaded, data, "proportions", NULL, proportions, documents * many_topics));
  watch_memory(NULL, &memory);
  memcpy(sample->lambda, proportions + documents * many_topics - corpus_topics * corpus_columns,
         sizeof sample->lambda);

  /* Truncated while it is in use: what is read in place is refused. */
  assert_int_equal(truncate(path, 100000), 0);
  if (where[0] != '\0') {
    REFUSED(VTEMPER_ERROR_IO, "truncated",
            vtemper_model_infer(loaded, data, "proportions", NULL, proportions, documents * many_topics));
    REFUSED(VTEMPER_ERROR_IO, "truncated", vtemper_model_save(loaded, path));
    REFUSED(VTEMPER_ERROR_IO, "truncated", vtemper_model_get(loaded, "duplicate_of", proportions, many_topics));
  } else {
    OK(vtemper_model_infer(loaded, data, "proportions", NULL, proportions, documents * many_topics));
  }
  assert_int_equal(unlink(path), 0);
  vtemper_model_destroy(loaded);
  return memory;
}

static void test_memory(void** state) {
  (void)state;
  if (under_valgrind()) skip(); /* other tests make the same calls; this one measures their memory */
  vtemper_data* data = wide_data();
  double told_in_file = 0, told_in_memory = 0;
  topics of_file, of_memory;
  const largest_memory in_file = wide_fit(folder, data, &told_in_file, &of_file);
  const largest_memory in_memory = wide_fit("", data, &told_in_memory, &of_memory);
  assert_same_bits(&of_file, &of_memory);
  const double copies = 50 * words_of_document * 8.0 * 112; /* of the rows of a batch */
  assert_close(told_in_memory - told_in_file, all_topics - copies, 1);
  if (in_file.before >= 0) {
    /* Both include what a sanitizer or valgrind adds. */
    if (!(in_memory.largest - in_file.largest > 0.9 * all_topics)) {
      fail_msg("%g bytes with the topics in a file, %g in memory", in_file.largest, in_memory.largest);
    }
  }
  vtemper_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_bits), cmocka_unit_test(test_growth),           cmocka_unit_test(test_loaded_model),
      cmocka_unit_test(test_refused),   cmocka_unit_test(test_unusable_folders), cmocka_unit_test(test_folder_gone),
      cmocka_unit_test(test_fork),      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
