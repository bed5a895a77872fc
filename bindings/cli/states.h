#pragma once
/* The states of a hidden Markov model as text. */

#include <stdio.h>

#include <vtemper/vtemper.h>

/** For each state: the share of symbols it emits, its probability as first state, its likeliest next states and
 * symbols. Prints nothing for models of other kinds. */
void states_print(FILE* stream, const vtemper_model* model);
