#pragma once
/* Commands of `vtemper` and their parsed arguments. Each command declares its operands and options once, in a table
 * that is used both to check the arguments and to print the help. */

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An option of a command. */
typedef struct Flag {
  const char* name;        /**< long name without dashes; NULL ends a table */
  char letter;             /**< one-letter form, or 0 */
  const char* value;       /**< placeholder for the value in the help; NULL for a switch */
  const char* description; /**< for the help */
} Flag;

/** A given option and its value; `name` is the Flag's or the library's spelling. */
typedef struct GivenOption {
  const char* name;
  const char* value;
} GivenOption;

typedef struct Arguments Arguments;

/** One command. */
typedef struct Command {
  const char* name;
  const char* usage;       /**< synopsis of operands and options */
  const char* description; /**< for the list of commands and the command's help */
  const char* notes;       /**< further help text, or "" */
  int min_operands;
  int max_operands;
  int output_operands; /**< number of trailing operands that are written; the others are read */
  const Flag* flags;
  const Flag* const*
      shared_flags; /**< further tables, shared with other commands, terminated by NULL; NULL if none */
  /** Subjects of vtemper_option_info whose options are accepted as --NAME VALUE, terminated by NULL. "model" stands
   *  for the kind given by --model. NULL if none. */
  const char* const* subjects;
  int (*run)(const Arguments* arguments); /**< returns the exit status */
  bool divides;                           /**< ranks of vtemper-mpi divide the work; else rank 0 does it alone */
} Command;

/** The model kind fitted by default. */
#define DEFAULT_KIND "lda"

enum { MOST_OPERANDS = 3 };

struct Arguments {
  const Command* command;
  const char* operands[MOST_OPERANDS];
  int operand_count;
  GivenOption* given; /**< the command's own flags */
  int given_count;
  GivenOption* named_options; /**< options of the library's subjects */
  int named_option_count;
};

/** Parses the arguments after the command's name. Exits with EXIT_USAGE, naming the nearest valid word, if they are
 * wrong; prints the help and exits if requested. */
Arguments arguments_read(const Command* command, int count, char** words);
void arguments_free(Arguments* arguments);
/** As if --quiet had been given. */
void arguments_silence(Arguments* arguments);

/** Value of a flag ("" for a switch), or NULL if not given. The last occurrence counts. */
const char* argument(const Arguments* arguments, const char* name);
/** As above, but exits with EXIT_USAGE if not given. */
const char* argument_required(const Arguments* arguments, const char* name);
/** The name of the first flag of the table that was given, or NULL. */
const char* argument_of_table(const Arguments* arguments, const Flag* table);
/** Numbers within inclusive bounds, or `otherwise` if not given. */
int64_t argument_integer(const Arguments* arguments, const char* name, int64_t least, int64_t most,
                         int64_t otherwise);
double argument_real(const Arguments* arguments, const char* name, double least, double most, double otherwise);

/** Value of a library option, or NULL if not given. */
const char* named_option(const Arguments* arguments, const char* name);

/** The command's flag of that name; NULL if there is none. */
const Flag* command_flag(const Command* command, const char* name);

/** Table `index` of the command's flags, its own first; NULL after the last. */
const Flag* flag_table(const Command* command, int index);

/** The commands, numbered from 0. */
int command_count(void);
const Command* command_at(int index);
/** Flushes the results on stdout and returns the status. If they could not be written, exits with EXIT_FAILED, unless
 *  the reader merely closed the pipe early. */
int finish_results(int status);

/** Prints the help of a command on stdout. */
void print_help(const Command* command);

extern const Command fit_command, evaluate_command, infer_command, get_command, topics_command, info_command,
    convert_command, split_command, describe_command, demo_command, sweep_command, export_command, report_command,
    documents_command, similar_command, correlation_command, timeline_command;

#ifdef __cplusplus
}
#endif
