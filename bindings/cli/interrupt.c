#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "failure.h"
#include "output_file.h"

static volatile sig_atomic_t asked = 0;

static void on_signal(int number) {
  (void)number;
  if (asked) {
    output_abandon();
    _exit(EXIT_INTERRUPTED);
  }
  asked = 1;
}

void interrupt_watch(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

bool interrupt_seen(void) {
  return asked != 0;
}
