/* The library can be unloaded: its threads end with it, and it can be opened again. */
#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "find_function.h"

static int live_threads(void) {
  int count = 0;
  DIR* tasks = opendir("/proc/self/task");
  assert_non_null(tasks);
  for (const struct dirent* task = readdir(tasks); task != NULL; task = readdir(tasks)) {
    count += task->d_name[0] != '.';
  }
  closedir(tasks);
  return count;
}

static void fit(void* library) {
  FIND(data_from_dense);
  FIND(model_create);
  FIND(optimizer_create);
  FIND(optimizer_step);
  FIND(options_create);
  FIND(options_set);
  FIND(options_destroy);
  FIND(data_destroy);
  FIND(model_destroy);
  FIND(optimizer_destroy);
  enum { rows = 2000, columns = 4 };
  static double values[rows * columns];
  for (int i = 0; i < rows * columns; ++i) values[i] = (double)(i * 7919 % 1000) / 1000;
  vtemper_data* data = NULL;
  vtemper_model* model = NULL;
  vtemper_options* options = NULL;
  vtemper_optimizer* optimizer = NULL;
  assert_int_equal(
      data_from_dense(rows, columns, values, VTEMPER_DOUBLE, columns, 1, VTEMPER_COPY, NULL, NULL, &data),
      VTEMPER_OK);
  assert_int_equal(options_create(&options), VTEMPER_OK);
  assert_int_equal(options_set(options, "threads", "3"), VTEMPER_OK);
  assert_int_equal(model_create("gaussian_mixture", NULL, &model), VTEMPER_OK);
  assert_int_equal(optimizer_create(model, data, options, &optimizer), VTEMPER_OK);
  assert_int_equal(optimizer_step(optimizer, 5, NULL), VTEMPER_OK);
  optimizer_destroy(optimizer);
  model_destroy(model);
  options_destroy(options);
  data_destroy(data);
}

static void* nothing(void* argument) {
  return argument;
}

static void test_unload(void** state) {
  (void)state;
  const char* path = getenv("VTEMPER_LIBRARY");
  /* The thread that ThreadSanitizer starts does not count. */
  pthread_t first;
  assert_int_equal(pthread_create(&first, NULL, nothing, NULL), 0);
  assert_int_equal(pthread_join(first, NULL), 0);
  const struct timespec moment = {0, 100000000};
  nanosleep(&moment, NULL);
  const int before = live_threads();
  for (int repeat = 0; repeat < 5; ++repeat) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fail_msg("%s", dlerror());
    fit(library);
    assert_true(live_threads() > before);
    assert_int_equal(dlclose(library), 0);
    /* A joined thread is still listed for a moment. */
    const struct timespec millisecond = {0, 1000000};
    for (int wait = 0; live_threads() > before && wait < 60000; ++wait) nanosleep(&millisecond, NULL);
    assert_int_equal(live_threads(), before);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    assert_null(library);
  }
}

int main(void) {
  if (getenv("VTEMPER_LIBRARY") == NULL) {
    puts("VTEMPER_LIBRARY does not name the library");
    return 77;
  }
  setenv("VTEMPER_THREAD_OPERATIONS", "1", 0); /* otherwise such a small fit uses one thread */
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_unload)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
