/* The commands `vtemper` and `vtemper-mpi`: finds the command named by the first word and runs it. */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vtemper/vtemper.h>

#include "command.h"
#include "failure.h"
#include "icu_memory.h"
#include "interrupt.h"
#include "last_resort.h"
#include "nearest.h"
#include "output_file.h"
#include "ranks.h"
#include "synonyms.h"

static const Command* const commands[] = {
    &fit_command,     &evaluate_command,  &infer_command,    &get_command,         &topics_command,   &info_command,
    &convert_command, &split_command,     &describe_command, &demo_command,        &sweep_command,    &export_command,
    &report_command,  &documents_command, &similar_command,  &correlation_command, &timeline_command,
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

int command_count(void) {
  return COMMAND_COUNT;
}

const Command* command_at(int index) {
  return commands[index];
}

static void print_overview(FILE* stream) {
  fprintf(stream,
          "usage: %s COMMAND ...\n\n"
          "Fits latent-variable models by annealed and tempered variational inference.\n\n",
          program_name());
  for (int i = 0; i < COMMAND_COUNT; ++i)
    fprintf(stream, "  %-11s  %s\n", commands[i]->name, commands[i]->description);
  fprintf(stream,
          "\n"
          "  vtemper COMMAND --help   all about one command\n"
          "  vtemper --version        version, instruction set, compiler\n\n"
          "A first run: vtemper demo\n");
}

static const Command* find_command(const char* name) {
  for (int i = 0; i < COMMAND_COUNT; ++i) {
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  }
  return NULL;
}

/* Whether the reader of the results is gone (EPIPE). */
static int reader_is_gone(void) {
  struct pollfd results = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&results, 1, 0) == 1 && (results.revents & POLLERR);
}

int finish_results(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  if (reader_is_gone()) return status;
  fail("the results could not be written: %s", strerror(errno));
}

static void name_input(const char* path, bool is_text) {
  output_input(path);
  if (is_text) output_input_folder(path);
  for (int rank = 0; path && rank < rank_count(); ++rank) {
    char* own = ranks_path(path, rank);
    if (strcmp(own, path) != 0) {
      output_input(own); /* which keeps it */
    } else {
      free(own);
    }
  }
}

/* Registers input files, which must not be overwritten. */
static void name_inputs(const Arguments* arguments) {
  const char* const read[] = {"test", "vocabulary", "data", "heldout", "stop-words"};
  const bool is_text = argument(arguments, "text") != NULL;
  for (int i = 0; i < arguments->operand_count - arguments->command->output_operands; ++i) {
    name_input(arguments->operands[i], is_text);
  }
  for (size_t i = 0; i < sizeof read / sizeof read[0]; ++i) name_input(argument(arguments, read[i]), is_text);
}

/* Whether the value of the option is a path, which may be another one on another machine. */
static bool takes_path(const Flag* flag) {
  const char* const paths[] = {"FILE", "DATA", "MODEL"};
  for (size_t i = 0; flag->value && i < sizeof paths / sizeof paths[0]; ++i) {
    if (strncmp(flag->value, paths[i], strlen(paths[i])) == 0) return true;
  }
  return false;
}

/* Ranks with other arguments would wait for each other in different parts of the command. The library compares the
 * options of a fit or score itself. */
static void require_equal_arguments(const Arguments* arguments) {
  if (rank_count() == 1) return;
  char* operands = text_of("%d", arguments->operand_count);
  ranks_require_equal("the number of operands", operands);
  free(operands);
  const Flag* table;
  for (int i = 0; (table = flag_table(arguments->command, i)); ++i) {
    for (const Flag* flag = table; flag->name; ++flag) {
      const char* value = argument(arguments, flag->name);
      if (strcmp(flag->name, "quiet") == 0) continue;
      char* option = text_of("--%s", flag->name);
      ranks_require_equal(option, !value ? "not given" : !*value || takes_path(flag) ? "given" : value);
      free(option);
    }
  }
}

/* Like the packages, requires a library of the same series as the header, and not older. */
static void require_library(void) {
  const int32_t ours = VTEMPER_VERSION_NUMBER, theirs = vtemper_version_number();
  const int32_t series = ours < 1000000 ? 1000 : 1000000; /* below 1.0 every minor version is a series */
  if (theirs >= ours && theirs / series == ours / series) return;
  fail(
      "this command was built for version %d.%d.%d of the library vtemper, but the loader found version %s; install "
      "the matching one",
      VTEMPER_VERSION_MAJOR, VTEMPER_VERSION_MINOR, VTEMPER_VERSION_PATCH, vtemper_version());
}

/* Ranks other than the first print nothing and exit with 0: rank 0 reports the result of the command. */
static int run_command(const Command* command, Arguments* arguments) {
  const bool is_first = is_first_rank();
  if (!is_first && !command->divides) return EXIT_DONE;
  if (!command->divides) ranks_leave(command->name, argument(arguments, "quiet") != NULL);
  require_equal_arguments(arguments);
  if (!is_first) arguments_silence(arguments);
  name_inputs(arguments);
  ranks_begin_command(command->name);
  const int status = command->run(arguments);
  return is_first ? status : EXIT_DONE;
}

/* Ends a command that has not failed. */
static int end(int status) {
  status = finish_results(status);
  ranks_end();
  return status;
}

int main(int count, char** words) {
  /* A reader that closes the pipe must not end a fit before its model is saved. */
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a file above the limit of its size is an error message */
  interrupt_clean_up();
  last_resort_set();
  icu_memory_set();
  require_library();
  ranks_begin();
  ranks_require_equal("the command", count < 2 ? "not given" : words[1]);
  if (count < 2) {
    if (!is_first_rank()) return end(EXIT_DONE);
    print_overview(stderr);
    return end(EXIT_USAGE);
  }
  const char* name = words[1];
  const bool asks_help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
  if (asks_help && count > 2) name = words[2]; /* help fit */
  if (asks_help && count > 2 && find_command(name)) {
    print_help(find_command(name));
    return end(EXIT_DONE);
  }
  if (asks_help && count == 2) {
    print_overview(stdout);
    return end(EXIT_DONE);
  }
  if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
    printf("%s\n", vtemper_build_info());
    return end(EXIT_DONE);
  }
  const Command* command = find_command(name);
  if (command && !asks_help) {
    failure_name_command(name);
    Arguments arguments = arguments_read(command, count - 2, words + 2);
    const int status = run_command(command, &arguments);
    arguments_free(&arguments);
    return end(status);
  }
  const char* meant = command_for_word(name);
  if (meant) fail_usage("there is no command \"%s\"; did you mean %s?", name, meant);
  Nearest nearest = nearest_to(name);
  for (int i = 0; i < COMMAND_COUNT; ++i) nearest_consider(&nearest, commands[i]->name);
  if (nearest.best) fail_usage("there is no command \"%s\"; did you mean %s?", name, nearest.best);
  fail_usage("there is no command \"%s\"; see vtemper --help", name);
}
