/* Whatever is called, the library prints nothing to standard output or standard error, and leaves no file open. */
#include <dirent.h>
#include <unistd.h>

#include "fixtures.h"

static int open_files(void) {
  int count = 0;
  DIR* folder = opendir("/proc/self/fd");
  assert_non_null(folder);
  while (readdir(folder) != NULL) ++count;
  closedir(folder);
  return count;
}

static void everything(void) {
  const char* methods[] = {"vi", "svi", "annealing", "tempering", "local_tempering"};
  vtemper_data *data = corpus_data(), *none = NULL;
  for (int m = 0; m < 5; ++m) {
    vtemper_model *model = NULL, *loaded = NULL;
    int64_t size = 0;
    double score;
    vtemper_optimizer* optimizer =
        fit_of(data, options_of("method", methods[m], "threads", "2", "max_iterations", "20", NULL));
    OK(vtemper_optimizer_run(optimizer, NULL));
    OK(vtemper_optimizer_model(optimizer, &model));
    OK(vtemper_model_evaluate(model, data, NULL, "predictive", NULL, &score));
    char* bytes = model_bytes_of(model, &size);
    OK(vtemper_model_load_buffer(bytes, size, &loaded));
    bytes[size / 2] ^= 1;
    vtemper_model_destroy(loaded);
    REFUSED(VTEMPER_ERROR_FORMAT, "buffer", vtemper_model_load_buffer(bytes, size, &loaded));
    REFUSED(VTEMPER_ERROR_ARGUMENT, "lambda", vtemper_model_get(model, "lamda", &score, 1));
    free(bytes);
    vtemper_model_destroy(model);
    vtemper_optimizer_destroy(optimizer);
  }
  REFUSED(VTEMPER_ERROR_IO, "nowhere", vtemper_data_read("/nowhere/at/all", NULL, &none));
  REFUSED(VTEMPER_ERROR_IO, "nowhere", vtemper_data_write(data, "/nowhere/at/all"));
  vtemper_data_destroy(data);
}

static void test_silence(void** state) {
  (void)state;
  everything(); /* sets up what is kept, such as threads */
  const int files = open_files();
  FILE* captured = tmpfile();
  assert_non_null(captured);
  fflush(NULL);
  const int out = dup(STDOUT_FILENO), error = dup(STDERR_FILENO);
  dup2(fileno(captured), STDOUT_FILENO);
  dup2(fileno(captured), STDERR_FILENO);
  everything();
  fflush(NULL);
  dup2(out, STDOUT_FILENO);
  dup2(error, STDERR_FILENO);
  close(out);
  close(error);
  fseek(captured, 0, SEEK_END);
  assert_int_equal(ftell(captured), 0);
  fclose(captured);
  assert_int_equal(open_files(), files);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_silence)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
