#pragma once
/* Words that users bring from elsewhere, and what they are called here. */

#include <stdbool.h>

#include "command.h"

/** The kind of model that a word stands for ("hmm", "LDA"), or NULL. */
const char* kind_for_word(const char* word);

/** The command that a word stands for ("train"), or NULL. */
const char* command_for_word(const char* word);

/** The option of the command (or of its library subjects, for models of `kind`) that a word stands for: its name with
 *  dashes, or NULL. */
const char* option_for_word(const Command* command, const char* kind, const char* word);

/** Ends with EXIT_USAGE and the nearest kind where there is none of that name. */
void kind_check(const char* kind);
