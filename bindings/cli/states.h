#pragma once
/* The states of a hidden Markov model as text. */

#include <stdio.h>

#include <vtemper/vtemper.h>

/** For each state: the share of symbols it emits, its initial probability, its most probable next states and symbols.
 * Prints nothing for other models. */
void states_print(FILE* stream, const vtemper_model* model);
