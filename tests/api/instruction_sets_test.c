/* VTEMPER_SIMD forces each instruction set of this machine: each fits, is named, and agrees with the others up to
 * rounding. */
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixtures.h"
#include "support/assert.h"

enum { elements = corpus_topics * corpus_columns };

/** The child: fits, and writes its build info and topics to standard output. */
static int child(void) {
  vtemper_data* data = corpus_data();
  vtemper_optimizer* optimizer =
      fit_of(data, options_of("method", "annealing", "batch_size", "16", "seed", "5", NULL));
  OK(vtemper_optimizer_step(optimizer, 12, NULL));
  const topics fitted = optimizer_topics(optimizer);
  char info[256] = {0};
  snprintf(info, sizeof info, "%s", vtemper_build_info());
  fwrite(info, 1, sizeof info, stdout);
  fwrite(&fitted, 1, sizeof fitted, stdout);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
  return 0;
}

static void run_child(const char* set, char info[256], topics* fitted) {
  int ends[2], status = 0;
  assert_int_equal(pipe(ends), 0);
  const pid_t process = fork();
  assert_true(process >= 0);
  if (process == 0) {
    if (set == NULL) {
      unsetenv("VTEMPER_SIMD");
    } else {
      setenv("VTEMPER_SIMD", set, 1);
    }
    dup2(ends[1], STDOUT_FILENO);
    execl("/proc/self/exe", "instruction_sets_test", "child", (char*)NULL);
    _exit(127);
  }
  close(ends[1]);
  FILE* from_child = fdopen(ends[0], "rb");
  assert_int_equal(fread(info, 1, 256, from_child), 256);
  assert_int_equal(fread(fitted, 1, sizeof *fitted, from_child), sizeof *fitted);
  fclose(from_child);
  assert_int_equal(waitpid(process, &status, 0), process);
  assert_int_equal(status, 0);
}

static void test_each(void** state) {
  (void)state;
  char info[256], expected[64];
  topics chosen, scalar, again;
  run_child(NULL, info, &chosen);
  run_child("scalar", info, &scalar);
  assert_non_null(strstr(info, "instruction set scalar"));

  const char* list = strstr(info, "available: ");
  assert_non_null(list);
  char* available = strdup(list + strlen("available: "));
  *strchr(available, ')') = '\0';
  int sets = 0;
  for (char* name = strtok(available, " "); name != NULL; name = strtok(NULL, " "), ++sets) {
    topics fitted;
    run_child(name, info, &fitted);
    snprintf(expected, sizeof expected, "instruction set %s ", name);
    assert_non_null(strstr(info, expected));
    for (int i = 0; i < elements; ++i) {
      assert_close(fitted.lambda[i], scalar.lambda[i], 1e-6 * (1 + fabs(scalar.lambda[i])));
    }
    run_child(name, info, &again);
    assert_same_bits(&fitted, &again);
    if (sets == 0) assert_same_bits(&fitted, &chosen); /* the best comes first and is the default */
  }
  assert_true(sets >= 1);
  free(available);
}

/* A set that this machine does not have is ignored. */
static void test_unknown(void** state) {
  (void)state;
  char info[256];
  topics chosen, fitted;
  run_child(NULL, info, &chosen);
  run_child("quantum", info, &fitted);
  assert_same_bits(&fitted, &chosen);
}

int main(int count, char** arguments) {
  if (count == 2 && strcmp(arguments[1], "child") == 0) return child();
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each), cmocka_unit_test(test_unknown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
