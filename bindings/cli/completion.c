#include "completion.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "failure.h"
#include "library_options.h"

/* An option offered for completion. */
typedef struct Offer {
  const char* command;
  const char* kind; /**< the model kind that has it; NULL: all kinds */
  char* name;       /**< with leading dashes */
  char letter;
  bool takes_value;
  char* values; /**< candidate values, separated by blanks; "": files */
  const char* description;
} Offer;

typedef void (*OfferPrinter)(FILE* stream, const Offer* offer);

/* Candidate values for flags with a fixed set. */
static char* values_of_flag(const char* name) {
  if (strcmp(name, "as") == 0) return text_of("csv tsv json");
  if (strcmp(name, "rank") == 0) return text_of("probability lift relevance frex label");
  if (strcmp(name, "completion") == 0) return text_of("bash zsh fish");
  TextStream text;
  text_begin(&text);
  if (strcmp(name, "model") == 0) {
    for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) {
      fprintf(text.stream, "%s%s", i > 0 ? " " : "", vtemper_model_kind_name(i));
    }
  } else if (strcmp(name, "manual") == 0) {
    for (int i = 0; i < command_count(); ++i) fprintf(text.stream, "%s%s", i > 0 ? " " : "", command_at(i)->name);
  }
  return text_end(&text);
}

static void offer(FILE* stream, Offer* one, OfferPrinter print) {
  for (char* letter = one->name; *letter; ++letter) *letter = *letter == '_' ? '-' : *letter;
  print(stream, one);
  free(one->name);
  free(one->values);
}

static void offer_flags(FILE* stream, const Command* command, OfferPrinter print) {
  const Flag* table;
  for (int i = 0; (table = flag_table(command, i)); ++i) {
    for (const Flag* flag = table; flag->name; ++flag) {
      Offer one = {command->name,
                   NULL,
                   text_of("%s", flag->name),
                   flag->letter,
                   flag->value != NULL,
                   values_of_flag(flag->name),
                   flag->description};
      offer(stream, &one, print);
    }
  }
}

static void offer_subject(FILE* stream, const Command* command, const char* subject, const char* kind,
                          OfferPrinter print) {
  int32_t count;
  check(vtemper_option_count(subject, &count));
  vtemper_option info = {.struct_size = sizeof info};
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_option_info(subject, i, &info));
    const char* values = info.type == VTEMPER_OPTION_CHOICE    ? info.choices
                         : info.type == VTEMPER_OPTION_BOOLEAN ? "true false"
                                                               : "";
    Offer one = {command->name, kind, text_of("%s", info.name), 0, true, text_of("%s", values), info.description};
    offer(stream, &one, print);
  }
}

/* All options of a command; those of models by kind. */
static void offer_all(FILE* stream, const Command* command, OfferPrinter print) {
  offer_flags(stream, command, print);
  for (const char* const* subject = command->subjects; subject && *subject; ++subject) {
    if (strcmp(*subject, "model") != 0) {
      offer_subject(stream, command, *subject, NULL, print);
      continue;
    }
    for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) {
      offer_subject(stream, command, vtemper_model_kind_name(i), vtemper_model_kind_name(i), print);
    }
  }
}

/* The description up to its first colon, full stop or bracket, without quotes: a short description. */
static void print_short(FILE* stream, const char* description) {
  for (size_t i = 0; i < strcspn(description, ".;:(") && i < 70; ++i) {
    const char letter = description[i];
    if (letter != '\'' && letter != '"' && letter != '[' && letter != ']' && letter != '\\') fputc(letter, stream);
  }
}

/* ---- bash ---- */

static void bash_name(FILE* stream, const Offer* offer) {
  fprintf(stream, "  options['%s/%s']+=' --%s'\n", offer->command, offer->kind ? offer->kind : "", offer->name);
}

static void bash_values(FILE* stream, const Offer* offer) {
  if (*offer->values) fprintf(stream, "  values['%s/--%s']='%s'\n", offer->command, offer->name, offer->values);
  if (!offer->takes_value) fprintf(stream, "  values['%s/--%s']='-'\n", offer->command, offer->name);
}

static void print_bash(FILE* stream) {
  fputs("# Completion of vtemper for bash; made by: vtemper describe --completion bash\n\n_vtemper() {\n", stream);
  fputs("  local verbs='", stream);
  for (int i = 0; i < command_count(); ++i) fprintf(stream, "%s%s", i > 0 ? " " : "", command_at(i)->name);
  fputs("'\n  local -A options=() values=()\n", stream);
  for (int i = 0; i < command_count(); ++i) offer_all(stream, command_at(i), bash_name);
  for (int i = 0; i < command_count(); ++i) offer_all(stream, command_at(i), bash_values);
  fputs(
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} i\n"
      "  local kind=" DEFAULT_KIND
      "\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$verbs --help --version\" -- \"$current\")\n"
      "    return\n"
      "  fi\n"
      "  for ((i = 2; i < COMP_CWORD; ++i)); do\n"
      "    [[ ${COMP_WORDS[i]} == --model ]] && kind=${COMP_WORDS[i + 1]}\n"
      "  done\n"
      "  local found=${values[$verb/$previous]-}\n"
      "  if [[ $found && $found != - ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$found\" -- \"$current\")\n"
      "  elif [[ $current == -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"${options[$verb/]-} ${options[$verb/$kind]-}\" -- \"$current\")\n"
      "  fi\n"
      "}\n"
      "complete -o default -o bashdefault -F _vtemper vtemper\n",
      stream);
}

/* ---- zsh ---- */

static void zsh_option(FILE* stream, const Offer* offer) {
  if (offer->kind)
    fprintf(stream, "      [[ $kind == %s ]] && ", offer->kind);
  else
    fputs("      ", stream);
  fprintf(stream, "options+=('--%s[", offer->name);
  print_short(stream, offer->description);
  fputc(']', stream);
  if (*offer->values) {
    fprintf(stream, ":value:(%s)", offer->values);
  } else if (offer->takes_value) {
    fputs(":value:_files", stream);
  }
  fputs("')\n", stream);
}

static void print_zsh(FILE* stream) {
  fputs(
      "#compdef vtemper\n# Completion of vtemper for zsh; made by: vtemper describe --completion zsh\n\n"
      "_vtemper() {\n  local -a verbs options\n  local kind=" DEFAULT_KIND " i\n  verbs=(\n",
      stream);
  for (int i = 0; i < command_count(); ++i) {
    fprintf(stream, "    '%s:", command_at(i)->name);
    print_short(stream, command_at(i)->description);
    fputs("'\n", stream);
  }
  fputs(
      "  )\n  if ((CURRENT == 2)); then\n    _describe -t commands command verbs\n    return\n  fi\n"
      "  for ((i = 3; i < CURRENT; ++i)); do\n    [[ $words[i] == --model ]] && kind=$words[i+1]\n  done\n"
      "  case $words[2] in\n",
      stream);
  for (int i = 0; i < command_count(); ++i) {
    fprintf(stream, "    %s)\n", command_at(i)->name);
    offer_all(stream, command_at(i), zsh_option);
    fputs("      ;;\n", stream);
  }
  fputs(
      "  esac\n  shift words\n  ((CURRENT--))\n  _arguments $options '*:file:_files'\n}\n\n"
      "compdef _vtemper vtemper\n",
      stream);
}

/* ---- fish ---- */

static void fish_option(FILE* stream, const Offer* offer) {
  fprintf(stream, "complete -c vtemper -n '__fish_seen_subcommand_from %s", offer->command);
  if (offer->kind) fprintf(stream, "; and __vtemper_kind %s", offer->kind);
  fprintf(stream, "' -l %s", offer->name);
  if (offer->letter) fprintf(stream, " -s %c", offer->letter);
  if (*offer->values) {
    fprintf(stream, " -x -a '%s'", offer->values);
  } else if (offer->takes_value) {
    fputs(" -r", stream);
  }
  fputs(" -d '", stream);
  print_short(stream, offer->description);
  fputs("'\n", stream);
}

static void print_fish(FILE* stream) {
  fputs(
      "# Completion of vtemper for fish; made by: vtemper describe --completion fish\n\n"
      "function __vtemper_kind\n"
      "  set -l words (commandline -opc)\n"
      "  set -l kind " DEFAULT_KIND
      "\n"
      "  if set -l at (contains -i -- --model $words)\n"
      "    set kind $words[(math $at + 1)]\n"
      "  end\n"
      "  test \"$kind\" = \"$argv[1]\"\n"
      "end\n\n",
      stream);
  for (int i = 0; i < command_count(); ++i) {
    fprintf(stream, "complete -c vtemper -n __fish_use_subcommand -a %s -d '", command_at(i)->name);
    print_short(stream, command_at(i)->description);
    fputs("'\n", stream);
    offer_all(stream, command_at(i), fish_option);
  }
}

bool completion_print(FILE* stream, const char* shell) {
  if (strcmp(shell, "bash") == 0) {
    print_bash(stream);
  } else if (strcmp(shell, "zsh") == 0) {
    print_zsh(stream);
  } else if (strcmp(shell, "fish") == 0) {
    print_fish(stream);
  } else {
    return false;
  }
  return true;
}
