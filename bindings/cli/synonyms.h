#pragma once
/* Terms used elsewhere, and their names in this command. */

#include <stdbool.h>

#include "command.h"

/** The model kind that a word denotes ("hmm", "LDA"), or NULL. */
const char* kind_for_word(const char* word);

/** The command that a word denotes ("train"), or NULL. */
const char* command_for_word(const char* word);

/** The option of the command (or of its library subjects, for models of `kind`) that a word denotes: its name with
 *  dashes, or NULL. */
const char* option_for_word(const Command* command, const char* kind, const char* word);

/** Exits with EXIT_USAGE, naming the nearest kind, if `kind` is unknown. */
void kind_check(const char* kind);
