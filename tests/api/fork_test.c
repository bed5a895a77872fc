/* A process that used several threads forks: the child fits with one, does not hang, and gets the same bits. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixtures.h"

enum { max_seconds = 100 };

static topics fit(void) {
  vtemper_data* data = corpus_data();
  vtemper_optimizer* optimizer =
      fit_of(data, options_of("method", "svi", "batch_size", "30", "seed", "5", "threads", "2", NULL));
  OK(vtemper_optimizer_step(optimizer, 8, NULL));
  const topics fitted = optimizer_topics(optimizer);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
  return fitted;
}

/** Runs `work` in a child with a time limit; its topics come back through a pipe. */
static topics in_child(topics (*work)(void*), void* argument) {
  int ends[2], status = 0;
  topics received;
  assert_int_equal(pipe(ends), 0);
  const pid_t process = fork();
  assert_true(process >= 0);
  if (process == 0) {
    signal(SIGALRM, SIG_DFL);
    alarm(max_seconds);
    const topics fitted = work(argument);
    const ssize_t written = write(ends[1], &fitted, sizeof fitted);
    _exit(written == (ssize_t)sizeof fitted ? 0 : 1);
  }
  close(ends[1]);
  const ssize_t read_bytes = read(ends[0], &received, sizeof received);
  close(ends[0]);
  assert_int_equal(waitpid(process, &status, 0), process);
  if (WIFSIGNALED(status)) fail_msg("the child was ended by signal %d", WTERMSIG(status));
  assert_int_equal(status, 0);
  assert_int_equal(read_bytes, sizeof received);
  return received;
}

static topics fit_afresh(void* argument) {
  (void)argument;
  return fit();
}

static void test_fit_in_child(void** state) {
  (void)state;
  const topics expected = fit();
  const topics forked = in_child(fit_afresh, NULL);
  assert_same_bits(&forked, &expected);
  const topics after = fit();
  assert_same_bits(&after, &expected);
}

static topics go_on(void* argument) {
  vtemper_optimizer* optimizer = argument;
  OK(vtemper_optimizer_step(optimizer, 4, NULL));
  return optimizer_topics(optimizer);
}

/* A handle made before the fork can be used in the child. */
static void test_go_on_in_child(void** state) {
  (void)state;
  const topics expected = fit();
  vtemper_data* data = corpus_data();
  vtemper_optimizer* optimizer =
      fit_of(data, options_of("method", "svi", "batch_size", "30", "seed", "5", "threads", "2", NULL));
  OK(vtemper_optimizer_step(optimizer, 4, NULL));
  const topics forked = in_child(go_on, optimizer);
  assert_same_bits(&forked, &expected);
  const topics in_parent = go_on(optimizer);
  assert_same_bits(&in_parent, &expected);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fit_in_child), cmocka_unit_test(test_go_on_in_child)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
