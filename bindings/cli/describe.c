/* vtemper describe: models, methods and options, as declared by the library. */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "completion.h"
#include "failure.h"
#include "library_options.h"
#include "manual.h"
#include "nearest.h"
#include "numbers.h"
#include "option_text.h"

static const Flag flags[] = {
    {"manual", 0, "COMMAND", "prints the manual page of a command, as mdoc"},
    {"completion", 0, "SHELL", "prints the completion script for bash, zsh or fish"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

/* Subjects besides the model kinds. */
static const char* const other_subjects[] = {"optimizer", "evaluate"};
enum { OTHER_SUBJECTS = 2 };

static const char* type_name(int32_t type) {
  switch (type) {
    case VTEMPER_OPTION_INTEGER:
      return "whole number";
    case VTEMPER_OPTION_REAL:
      return "number";
    case VTEMPER_OPTION_REALS:
      return "numbers";
    case VTEMPER_OPTION_CHOICE:
      return "word";
    case VTEMPER_OPTION_TEXT:
      return "text";
    default:
      return "true or false";
  }
}

/* Prints indented text, wrapped at blanks; the cursor is at `column`. */
static void print_wrapped(const char* text, size_t indent, size_t column) {
  static const size_t width = 110;
  const char* word = text;
  while (*word) {
    const size_t length = strcspn(word, " ");
    if (column > indent && column + length > width) {
      printf("\n%*s", (int)indent, "");
      column = indent;
    }
    printf("%.*s", (int)length, word);
    column += length;
    word += length;
    if (*word == ' ') {
      ++word;
      if (*word && column + 1 + strcspn(word, " ") <= width) {
        putchar(' ');
        ++column;
      } else {
        column = width;
      }
    }
  }
  putchar('\n');
}

static void print_subject(const char* subject) {
  int32_t count;
  check(vtemper_option_count(subject, &count));
  printf("%-24s %-12s %s\n", "option", "default", "meaning [values]");
  vtemper_option option = {.struct_size = sizeof option};
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_option_info(subject, i, &option));
    char range[512];
    format_range(range, sizeof range, &option);
    char usual[NUMBER_LENGTH];
    format_default(usual, &option);
    printf("%-24s %-12s ", option.name, usual);
    char* text = text_of("%s [%s]", option.description, range);
    const size_t name = strlen(option.name) > 24 ? strlen(option.name) : 24;
    print_wrapped(text, 38, name + (strlen(usual) > 12 ? strlen(usual) : 12) + 2);
    free(text);
  }
}

static void print_option(const char* subject, const vtemper_option* option) {
  char range[512];
  format_range(range, sizeof range, option);
  const char* article = is_kind(subject) ? "the model " : strcmp(subject, "optimizer") == 0 ? "the " : "";
  printf("%s   an option of %s%s\n", option->name, article, subject);
  printf("  meaning   ");
  print_wrapped(option->description, 12, 12);
  printf("  type      %s\n  values    ", type_name(option->type));
  print_wrapped(range, 12, 12);
  printf("  default   %s\n", option->default_text);
}

/* Length of the longest name in the overview. */
static int longest_subject(void) {
  size_t longest = strlen("optimizer");
  for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) {
    const size_t length = strlen(vtemper_model_kind_name(i));
    if (length > longest) longest = length;
  }
  return (int)longest;
}

static void print_overview(void) {
  printf("models     ");
  for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) printf(" %s", vtemper_model_kind_name(i));
  vtemper_option method;
  if (find_option("optimizer", "method", &method)) {
    printf("\nmethods     %s (default %s)\n", method.choices, method.default_text);
  }
  const int width = longest_subject();
  printf("\nOptions of each, with defaults and ranges:\n");
  for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) {
    printf("  vtemper describe %-*s  the model\n", width, vtemper_model_kind_name(i));
  }
  printf("  vtemper describe %-*s  how it is fitted\n", width, "optimizer");
  printf("  vtemper describe %-*s  how it is scored, and how rows are inferred\n", width, "evaluate");
  printf("  vtemper describe %-*s  one option\n", width, "OPTION");
}

/* Prints the option for every subject that has it; returns false if none does. */
static bool print_everywhere(const char* name) {
  bool found = false;
  vtemper_option option;
  for (int32_t i = 0; i < vtemper_model_kind_count() + OTHER_SUBJECTS; ++i) {
    const int32_t kinds = vtemper_model_kind_count();
    const char* subject = i < kinds ? vtemper_model_kind_name(i) : other_subjects[i - kinds];
    if (!find_option(subject, name, &option)) continue;
    if (found) putchar('\n');
    print_option(subject, &option);
    found = true;
  }
  return found;
}

/* Manual pages and completions are generated from the same tables as the help. */
static void print_manual(const char* name) {
  for (int i = 0; i < command_count(); ++i) {
    if (strcmp(command_at(i)->name, name) == 0) {
      manual_print(stdout, command_at(i));
      return;
    }
  }
  fail_usage("there is no manual page for \"%s\"; see vtemper --help", name);
}

static int run(const Arguments* arguments) {
  const char *manual = argument(arguments, "manual"), *shell = argument(arguments, "completion");
  if ((manual != NULL) + (shell != NULL) + arguments->operand_count > 1) {
    fail_usage("--manual, --completion and a word to describe cannot be combined");
  }
  if (manual) {
    print_manual(manual);
    return EXIT_DONE;
  }
  if (shell) {
    if (!completion_print(stdout, shell))
      fail_usage("there is no completion for \"%s\"; there is for bash, zsh and fish", shell);
    return EXIT_DONE;
  }
  if (arguments->operand_count == 0) {
    print_overview();
    return EXIT_DONE;
  }
  const char* word = arguments->operands[0];
  while (*word == '-') ++word;
  Nearest nearest = nearest_to(word);
  consider_kinds(&nearest);
  for (int i = 0; i < OTHER_SUBJECTS; ++i) {
    if (strcmp(word, other_subjects[i]) == 0) {
      print_subject(word);
      return EXIT_DONE;
    }
    nearest_consider(&nearest, other_subjects[i]);
    consider_options(&nearest, other_subjects[i]);
  }
  if (is_kind(word)) {
    print_subject(word);
    return EXIT_DONE;
  }
  if (print_everywhere(word)) return EXIT_DONE;
  for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) consider_options(&nearest, vtemper_model_kind_name(i));
  if (nearest.best) fail_usage("there is nothing called \"%s\" to describe; did you mean %s?", word, nearest.best);
  fail_usage("there is nothing called \"%s\" to describe; see vtemper describe", word);
}

const Command describe_command = {
    .name = "describe",
    .usage = "[KIND|optimizer|evaluate|OPTION] | --manual COMMAND | --completion SHELL",
    .description = "lists models, methods and options with defaults and ranges",
    .notes = "",
    .min_operands = 0,
    .max_operands = 1,
    .flags = flags,
    .run = run,
};
