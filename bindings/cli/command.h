#pragma once
/* A command of `vtemper` and what was said to it. Each command declares its operands and options once: the table
 * checks the arguments and prints the help. */

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An option of a command. */
typedef struct Flag {
  const char* name;     /**< long name without dashes; NULL ends a table */
  char letter;          /**< one-letter form, or 0 */
  const char* value;    /**< what stands for the value in the help; NULL for a switch */
  const char* sentence; /**< what it does */
} Flag;

/** A name and value given; `name` is the Flag's or the library's own spelling. */
typedef struct GivenOption {
  const char* name;
  const char* value;
} GivenOption;

typedef struct Arguments Arguments;

/** One command. */
typedef struct Command {
  const char* name;
  const char* usage;    /**< operands and options after the name */
  const char* sentence; /**< what it does, for the list of commands and its own help */
  const char* notes;    /**< more for its own help, or "" */
  int least_operands;
  int most_operands;
  int output_operands; /**< the last ones, which are files to write; the others are read */
  const Flag* flags;
  const Flag* const*
      shared_flags; /**< further tables, shared with other commands; NULL ends, NULL where there are none */
  /** Subjects of vtemper_option_info whose options are taken as --NAME VALUE; NULL ends. "model" stands for the kind
   *  given by --model. NULL where none are taken. */
  const char* const* subjects;
  int (*run)(const Arguments* arguments); /**< returns the exit status */
  bool divides;                           /**< ranks of vtemper-mpi divide the work; else rank 0 does it alone */
} Command;

/** The kind of model that is fitted where --model is not given. */
#define DEFAULT_KIND "lda"

enum { MOST_OPERANDS = 3 };

struct Arguments {
  const Command* command;
  const char* operands[MOST_OPERANDS];
  int operand_count;
  GivenOption* given; /**< the command's own flags */
  int given_count;
  GivenOption* named_options; /**< those of the library's subjects */
  int named_option_count;
};

/** Reads the arguments after the command's name. Ends with EXIT_USAGE and the nearest valid word where they are
 * wrong; prints the help and exits where it is asked for. */
Arguments arguments_read(const Command* command, int count, char** words);
void arguments_free(Arguments* arguments);
/** As if --quiet had been given. */
void arguments_silence(Arguments* arguments);

/** Value of a flag ("" for a switch), or NULL when it was not given. The last one given counts. */
const char* argument(const Arguments* arguments, const char* name);
/** The same, but ends with EXIT_USAGE when it was not given. */
const char* argument_required(const Arguments* arguments, const char* name);
/** Numbers within inclusive bounds, or `otherwise` when not given. */
int64_t argument_integer(const Arguments* arguments, const char* name, int64_t least, int64_t most,
                         int64_t otherwise);
double argument_real(const Arguments* arguments, const char* name, double least, double most, double otherwise);

/** Value of an option of the library, or NULL when it was not given. */
const char* named_option(const Arguments* arguments, const char* name);

/** The flag of that name among those of the command; NULL where there is none. */
const Flag* command_flag(const Command* command, const char* name);

/** Table `index` of the command's flags, its own first; NULL after the last. */
const Flag* flag_table(const Command* command, int index);

/** All commands, from 0. */
int command_count(void);
const Command* command_at(int index);
/** Ends the results on stdout and gives back the status. Results that could not be written end the command with
 *  EXIT_FAILED, unless the reader simply wanted no more of them. */
int finish_results(int status);

/** Prints the help of a command on stdout. */
void print_help(const Command* command);

extern const Command fit_command, evaluate_command, infer_command, get_command, topics_command, info_command,
    convert_command, split_command, describe_command, demo_command, sweep_command, export_command, report_command,
    documents_command, similar_command, correlation_command, timeline_command;

#ifdef __cplusplus
}
#endif
