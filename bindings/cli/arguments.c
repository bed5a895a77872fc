/* Parses the arguments of a command. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "failure.h"
#include "library_options.h"
#include "nearest.h"
#include "numbers.h"
#include "outside_text.h"
#include "synonyms.h"

const Flag* flag_table(const Command* command, int index) {
  if (index == 0) return command->flags;
  return command->shared_flags ? command->shared_flags[index - 1] : NULL;
}

const Flag* command_flag(const Command* command, const char* name) {
  const Flag* table;
  for (int i = 0; (table = flag_table(command, i)); ++i) {
    for (const Flag* flag = table; flag->name; ++flag) {
      if (same_name(flag->name, name)) return flag;
    }
  }
  return NULL;
}

static const Flag* find_letter(const Command* command, char letter) {
  const Flag* table;
  for (int i = 0; (table = flag_table(command, i)); ++i) {
    for (const Flag* flag = table; flag->name; ++flag) {
      if (flag->letter == letter) return flag;
    }
  }
  return NULL;
}

/* The kind given by --model, looked up first because it determines which other options exist. */
static const char* kind_given(int count, char** words) {
  const char* kind = DEFAULT_KIND;
  for (int i = 0; i < count; ++i) {
    if (strcmp(words[i], "--model") == 0 && i + 1 < count) kind = words[i + 1];
    if (strncmp(words[i], "--model=", 8) == 0) kind = words[i] + 8;
  }
  return kind;
}

static const char* subject_name(const char* subject, const char* kind) {
  return strcmp(subject, "model") == 0 ? kind : subject;
}

/* Exits if the command fits models of one kind only. */
static void refuse_kind(const Command* command, const char* name) {
  for (const char* const* subject = command->subjects; subject && *subject; ++subject) {
    if (!is_kind(*subject)) continue;
    fail_usage("there is no option --%s: vtemper %s fits %s models only; vtemper fit has --model for the other kinds",
               name, command->name, *subject);
  }
}

/* Exits, naming the equivalent option under its name here, or the nearest valid one. */
static _Noreturn void refuse_option(const Command* command, const char* name, const char* kind) {
  const char* meant = option_for_word(command, kind, name);
  if (meant && strcmp(meant, "topics") != 0 && same_name(name, "topics")) {
    fail_usage("models of kind %s have no topics; did you mean --%s?", kind, meant);
  }
  if (meant) fail_usage("there is no option --%s; did you mean --%s?", name, meant);
  if (same_name(name, "model") || same_name(name, "kind")) refuse_kind(command, name);
  Nearest nearest = nearest_to(name);
  const Flag* table;
  for (int i = 0; (table = flag_table(command, i)); ++i) {
    for (const Flag* flag = table; flag->name; ++flag) nearest_consider(&nearest, flag->name);
  }
  for (const char* const* subject = command->subjects; subject && *subject; ++subject) {
    consider_options(&nearest, subject_name(*subject, kind));
  }
  if (nearest.best) {
    char* best = text_of("%s", nearest.best);
    for (char* letter = best; *letter; ++letter) *letter = *letter == '_' ? '-' : *letter;
    fail_usage("there is no option --%s; did you mean --%s?", name, best);
  }
  fail_usage("there is no option --%s; see vtemper %s --help", name, command->name);
}

static void append(GivenOption** list, int* count, const char* name, const char* value) {
  *list = reallocate(*list, (size_t)*count + 1, sizeof **list);
  (*list)[(*count)++] = (GivenOption){name, value};
}

/* The value of the option at word `i`: after the equals sign, or the next word. NULL if there is none. */
static const char* value_of(char* equals, int* i, int count, char** words) {
  if (equals) return equals + 1;
  if (*i + 1 >= count || strncmp(words[*i + 1], "--", 2) == 0) return NULL;
  return words[++*i];
}

/* Whether the value is a name, and not a path, which may be any bytes. */
static bool takes_name(const Flag* flag) {
  return flag->value && (strcmp(flag->value, "NAME") == 0 || strcmp(flag->value, "HOW") == 0);
}

/* Whether the option is "true" where its value is left out. */
static bool may_be_true(const vtemper_option* info) {
  return info->type == VTEMPER_OPTION_BOOLEAN || strstr(info->choices, "true");
}

/* Names and the library's options are UTF-8. */
static void require_utf8(const char* option, const char* value) {
  if (!is_utf8(value)) fail_usage("the value of %s is not UTF-8: %s", option, value);
}

/* Whether the command takes options of a model. */
static bool takes_kind(const Command* command) {
  for (const char* const* subject = command->subjects; subject && *subject; ++subject) {
    if (strcmp(*subject, "model") == 0) return true;
  }
  return false;
}

/* Exits: the usage begins with the operands, and the first missing one is named as it is there. */
static _Noreturn void fail_missing(const Command* command, int given) {
  const char* word = command->usage;
  for (int i = 0; i < given; ++i) word += strcspn(word, " ") + 1;
  fail_usage("%.*s is missing; the usage is vtemper %s %s", (int)strcspn(word, " "), word, command->name,
             command->usage);
}

/* Exits: too many operands. If the command has --output and it was not given, the extra one was probably meant for
 * it. */
static _Noreturn void fail_too_many(const Command* command, const char* word, int count, char** words) {
  bool is_output = command_flag(command, "output") != NULL;
  for (int i = 0; i < count; ++i) {
    if (strncmp(words[i], "-o", 2) == 0 || strncmp(words[i], "--output", 8) == 0) is_output = false;
  }
  if (is_output) {
    fail_usage("unexpected argument \"%s\"; did you mean -o %s? The usage is vtemper %s %s", word, word,
               command->name, command->usage);
  }
  fail_usage("unexpected argument \"%s\"; the usage is vtemper %s %s", word, command->name, command->usage);
}

Arguments arguments_read(const Command* command, int count, char** words) {
  Arguments arguments = {.command = command};
  const char* kind = kind_given(count, words);
  bool options_end = false;
  for (int i = 0; i < count; ++i) {
    char* word = words[i];
    if (options_end || word[0] != '-' || word[1] == '\0') {
      if (arguments.operand_count == command->max_operands) fail_too_many(command, word, count, words);
      arguments.operands[arguments.operand_count++] = word;
      continue;
    }
    if (strcmp(word, "--") == 0) {
      options_end = true;
      continue;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
      print_help(command);
      arguments_free(&arguments);
      exit(finish_results(EXIT_DONE));
    }
    if (takes_kind(command)) kind_check(kind); /* determines which options exist */
    const bool is_long = word[1] == '-';
    if (!is_long && (!find_letter(command, word[1]) || word[2])) {
      const char* meant = option_for_word(command, kind, word + 1);
      if (meant) fail_usage("there is no option %s; did you mean --%s?", word, meant);
      fail_usage("there is no option %s; see vtemper %s --help", word, command->name);
    }
    char* equals = is_long ? strchr(word, '=') : NULL;
    if (equals) *equals = '\0';
    const char* name = word + 2;
    const Flag* flag = is_long ? command_flag(command, name) : find_letter(command, word[1]);
    if (flag) {
      const char* value = flag->value ? value_of(equals, &i, count, words) : "";
      if (!value) fail_usage("option %s needs a value: %s", word, flag->value);
      if (!flag->value && equals) fail_usage("option %s takes no value", word);
      if (takes_name(flag)) require_utf8(word, value);
      append(&arguments.given, &arguments.given_count, flag->name, value);
      continue;
    }
    vtemper_option info = {.struct_size = sizeof info};
    bool found = false;
    for (const char* const* subject = command->subjects; subject && *subject && !found; ++subject) {
      found = find_option(subject_name(*subject, kind), name, &info);
    }
    if (!found) refuse_option(command, name, kind);
    const char* value = value_of(equals, &i, count, words);
    if (!value && may_be_true(&info)) value = "true";
    if (!value) fail_usage("option %s needs a value; see vtemper describe %s", word, info.name);
    require_utf8(word, value);
    append(&arguments.named_options, &arguments.named_option_count, info.name, value);
  }
  if (arguments.operand_count < command->min_operands) fail_missing(command, arguments.operand_count);
  return arguments;
}

void arguments_free(Arguments* arguments) {
  free(arguments->given);
  free(arguments->named_options);
}

void arguments_silence(Arguments* arguments) {
  append(&arguments->given, &arguments->given_count, "quiet", "");
}

static const char* last_value(const GivenOption* list, int count, const char* name) {
  for (int i = count - 1; i >= 0; --i) {
    if (strcmp(list[i].name, name) == 0) return list[i].value;
  }
  return NULL;
}

const char* argument(const Arguments* arguments, const char* name) {
  return last_value(arguments->given, arguments->given_count, name);
}

const char* named_option(const Arguments* arguments, const char* name) {
  return last_value(arguments->named_options, arguments->named_option_count, name);
}

const char* argument_required(const Arguments* arguments, const char* name) {
  const char* value = argument(arguments, name);
  if (!value) {
    fail_usage("option --%s is missing; the usage is vtemper %s %s", name, arguments->command->name,
               arguments->command->usage);
  }
  return value;
}

const char* argument_of_table(const Arguments* arguments, const Flag* table) {
  for (const Flag* flag = table; flag->name; ++flag) {
    if (argument(arguments, flag->name)) return flag->name;
  }
  return NULL;
}

int64_t argument_integer(const Arguments* arguments, const char* name, int64_t least, int64_t most,
                         int64_t otherwise) {
  const char* text = argument(arguments, name);
  if (!text) return otherwise;
  int64_t value;
  if (!parse_integer(text, &value) || value < least || value > most) {
    fail_usage("--%s must be a whole number from %lld to %lld, not \"%s\"", name, (long long)least, (long long)most,
               text);
  }
  return value;
}

double argument_real(const Arguments* arguments, const char* name, double least, double most, double otherwise) {
  const char* text = argument(arguments, name);
  if (!text) return otherwise;
  double value;
  if (!parse_real(text, &value) || value < least || value > most) {
    fail_usage("--%s must be a number from %g to %g, not \"%s\"", name, least, most, text);
  }
  return value;
}

static void print_flags(const Flag* table) {
  for (const Flag* flag = table; flag->name; ++flag) {
    char head[80];
    char letter[8] = "    ";
    if (flag->letter) snprintf(letter, sizeof letter, "-%c, ", flag->letter);
    snprintf(head, sizeof head, "%s--%s%s%s", letter, flag->name, flag->value ? " " : "",
             flag->value ? flag->value : "");
    printf(strlen(head) <= 33 ? "  %-33s  %s\n" : "  %s\n                                     %s\n", head,
           flag->description);
  }
}

void print_help(const Command* command) {
  printf("usage: vtemper %s %s\n\n%s\n", command->name, command->usage, command->description);
  if (command->flags->name) printf("\n");
  const Flag* table;
  for (int i = 0; (table = flag_table(command, i)); ++i) print_flags(table);
  if (*command->notes) printf("\n%s\n", command->notes);
}
