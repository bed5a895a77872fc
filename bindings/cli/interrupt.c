#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "failure.h"
#include "output_file.h"

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof ending_signals[0] };

static volatile sig_atomic_t asked = 0;
static volatile sig_atomic_t held = 0;
static volatile sig_atomic_t waiting = 0; /* signal received while held */

/* Defers the first signal while the library writes a file; returns whether it did. */
static bool waits(int number) {
  if (!held || waiting) return false;
  waiting = number;
  return true;
}

static void on_signal(int number) {
  if (asked) {
    if (number == SIGXCPU || waits(number)) return; /* SIGXCPU comes every second */
    output_abandon();
    _exit(EXIT_INTERRUPTED);
  }
  asked = 1;
}

static bool is_ignored(int number) {
  struct sigaction before;
  return sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
}

/* An ignored SIGHUP stays ignored, as under nohup. A shell ignores SIGINT for background jobs, but a SIGINT sent
 * explicitly is meant for the run. */
static void handle(void (*handler)(int), int flags) {
  for (int i = 0; i < ENDING_SIGNALS; ++i) {
    if (is_ignored(ending_signals[i]) && (ending_signals[i] == SIGHUP || handler != on_signal)) continue;
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(ending_signals[i], &action, NULL);
  }
}

static void on_end(int number) {
  if (waits(number)) return;
  output_abandon();
  raise(number); /* default action: the handler was one-shot */
}

void interrupt_clean_up(void) {
  handle(on_end, (int)SA_RESETHAND);
}

void interrupt_hold(void) {
  held = 1;
}

void interrupt_release(void) {
  held = 0;
  const int number = waiting;
  if (number == 0) return;
  output_abandon();
  if (asked) _exit(EXIT_INTERRUPTED);
  raise(number);
}

bool interrupt_waits(void) {
  return waiting != 0;
}

void interrupt_watch(void) {
  handle(on_signal, SA_RESTART);
}

bool interrupt_seen(void) {
  return asked != 0;
}
