/* Loading the library and fitting leave the process as it was: rounding, denormal numbers, locale, signals,
 * environment. The library is opened by hand, so that the state before it is known. */
#define _GNU_SOURCE
#include <fenv.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "find_function.h"

extern char** environ;

enum { signals = 32 };

/** The state that a library should not change. */
typedef struct host_state {
  int rounding;
  unsigned int control; /* MXCSR without the sticky flags, if there is one */
  volatile double denormal;
  char locale[256];
  void* handlers[signals];
  int flags[signals];
  size_t environment;
} host_state;

static unsigned int control_word(void) {
#if defined(__SSE__)
  return __builtin_ia32_stmxcsr() & ~0x3fu;
#else
  return 0;
#endif
}

static host_state observe(void) {
  host_state seen;
  memset(&seen, 0, sizeof seen);
  seen.rounding = fegetround();
  seen.control = control_word();
  volatile double tiny = 1e-310;
  seen.denormal = tiny / 2;
  snprintf(seen.locale, sizeof seen.locale, "%s", setlocale(LC_ALL, NULL));
  for (int number = 1; number < signals; ++number) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0) continue;
    seen.handlers[number] = (void*)(uintptr_t)action.sa_handler;
    seen.flags[number] = action.sa_flags;
  }
  while (environ[seen.environment] != NULL) ++seen.environment;
  return seen;
}

static void assert_same_state(const host_state* before, const host_state* after) {
  assert_int_equal(before->rounding, after->rounding);
  assert_int_equal(before->control, after->control);
  assert_true(after->denormal > 0 && before->denormal == after->denormal);
  assert_string_equal(before->locale, after->locale);
  assert_memory_equal(before->handlers, after->handlers, sizeof before->handlers);
  assert_memory_equal(before->flags, after->flags, sizeof before->flags);
  assert_int_equal(before->environment, after->environment);
}

static void fit(void* library) {
  FIND(data_from_counts);
  FIND(model_create);
  FIND(optimizer_create);
  FIND(optimizer_step);
  FIND(options_create);
  FIND(options_set);
  FIND(options_destroy);
  FIND(data_destroy);
  FIND(model_destroy);
  FIND(optimizer_destroy);
  FIND(last_error);
  FIND(build_info);
  const int64_t offsets[] = {0, 2, 4, 6};
  const int32_t indices[] = {0, 1, 1, 2, 0, 3};
  const double values[] = {1, 2, 1, 3, 4, 1};
  vtemper_data* data = NULL;
  vtemper_model* model = NULL;
  vtemper_options* options = NULL;
  vtemper_optimizer* optimizer = NULL;
  assert_non_null(build_info());
  assert_int_equal(data_from_counts(VTEMPER_BY_ROWS, 3, 4, offsets, VTEMPER_INT64, indices, VTEMPER_INT32, values,
                                    VTEMPER_DOUBLE, 0, VTEMPER_COPY, NULL, NULL, &data),
                   VTEMPER_OK);
  assert_int_equal(options_create(&options), VTEMPER_OK);
  assert_int_equal(options_set(options, "method", "tempering"), VTEMPER_OK);
  assert_int_equal(options_set(options, "threads", "2"), VTEMPER_OK);
  assert_int_equal(model_create("lda", NULL, &model), VTEMPER_OK);
  assert_int_equal(optimizer_create(model, data, options, &optimizer), VTEMPER_OK);
  if (optimizer_step(optimizer, 20, NULL) != VTEMPER_OK) fail_msg("%s", last_error());
  optimizer_destroy(optimizer);
  model_destroy(model);
  options_destroy(options);
  data_destroy(data);
}

static void test_state(void** state) {
  (void)state;
  const char* path = getenv("VTEMPER_LIBRARY");
  assert_null(dlsym(RTLD_DEFAULT, "vtemper_version")); /* not loaded yet, or nothing is shown */

  /* A host with its own rounding, handlers and locale keeps them too. */
  for (int own = 0; own <= 1; ++own) {
    if (own) {
      signal(SIGINT, SIG_IGN);
      signal(SIGUSR1, SIG_IGN);
      setlocale(LC_ALL, "");
    }
    const host_state before = observe();
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fail_msg("%s", dlerror());
    const host_state loaded = observe();
    assert_same_state(&before, &loaded);
    fit(library);
    const host_state fitted = observe();
    assert_same_state(&before, &fitted);
  }
}

int main(void) {
  if (getenv("VTEMPER_LIBRARY") == NULL) {
    puts("VTEMPER_LIBRARY does not name the library");
    return 77;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_state)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
