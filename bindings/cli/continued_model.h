#pragma once
/* A fit that goes on from a saved model: the model with columns for words that are new, and the options of a run that
 * weighs new rows as the old ones. */

#include <vtemper/vtemper.h>

#include "command.h"

/** The model of --continue and the data to fit it to, both with the words of both: words that the model does not know
 *  begin as its prior has them. Tells on stderr how many there are, unless --quiet. */
vtemper_model* model_to_continue(const Arguments* arguments, vtemper_data** data);

/** Gives the run what the user has not: T = 1 from the first step, and for topic models step sizes under which every
 *  row that the model was fitted to and every row of a pass over `data` count the same; the topics then stand for the
 *  rows of both. */
void continue_options(vtemper_options* options, const Arguments* arguments, vtemper_model* model,
                      const vtemper_data* data);
