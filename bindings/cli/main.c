/* The command `vtemper`: finds the command named by the first word and runs it. */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <vtemper/vtemper.h>

#include "command.h"
#include "failure.h"
#include "nearest.h"

static const Command* const commands[] = {
    &fit_command,   &evaluate_command, &infer_command,  &get_command,      &topics_command,
    &info_command,  &convert_command,  &split_command,  &describe_command, &demo_command,
    &sweep_command, &export_command,   &report_command,
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_overview(FILE* stream) {
  fprintf(stream,
          "usage: vtemper COMMAND ...\n\n"
          "Fits latent-variable models by annealed and tempered variational inference.\n\n");
  for (int i = 0; i < COMMAND_COUNT; ++i) fprintf(stream, "  %-9s  %s\n", commands[i]->name, commands[i]->sentence);
  fprintf(stream,
          "\n"
          "  vtemper COMMAND --help   all about one command\n"
          "  vtemper --version        version, instruction set, compiler\n\n"
          "A first run: vtemper demo\n");
}

/* Whether nobody reads the results any more. */
static int reader_is_gone(void) {
  struct pollfd results = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&results, 1, 0) == 1 && (results.revents & POLLERR);
}

/* Results that could not be written are a failure, unless the reader simply wanted no more of them. */
static int finish_results(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  if (reader_is_gone()) return status;
  fail("the results could not be written: %s", strerror(errno));
}

int main(int count, char** words) {
  /* A reader that goes away must not end a fit before its model is saved. */
  signal(SIGPIPE, SIG_IGN);
  if (count < 2) {
    print_overview(stderr);
    return EXIT_USAGE;
  }
  const char* name = words[1];
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
    print_overview(stdout);
    return finish_results(EXIT_DONE);
  }
  if (strcmp(name, "--version") == 0) {
    printf("%s\n", vtemper_build_info());
    return finish_results(EXIT_DONE);
  }
  Nearest nearest = nearest_to(name);
  for (int i = 0; i < COMMAND_COUNT; ++i) {
    if (strcmp(commands[i]->name, name) == 0) {
      failure_name_command(name);
      Arguments arguments = arguments_read(commands[i], count - 2, words + 2);
      const int status = commands[i]->run(&arguments);
      arguments_free(&arguments);
      return finish_results(status);
    }
    nearest_consider(&nearest, commands[i]->name);
  }
  if (nearest.best) fail_usage("there is no command \"%s\"; did you mean %s?", name, nearest.best);
  fail_usage("there is no command \"%s\"; see vtemper --help", name);
}
