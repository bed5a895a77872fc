#pragma once
/* Continuing a fit from a saved model: adds columns for new words, and sets options that give new rows the same
 * weight as old ones. */

#include <vtemper/vtemper.h>

#include "command.h"

/** Ends the command where the names of --vocabulary would be lost: a model without names of its columns does not get
 * any later. `path`: the model or checkpoint. */
void refuse_lost_vocabulary(const Arguments* arguments, const vtemper_model* model, const char* path);

/** The model of --continue and the data to fit, both with the union of their words: new words start at the model's
 *  prior. Reports their number on stderr, unless --quiet. */
vtemper_model* model_to_continue(const Arguments* arguments, vtemper_data** data);

/** Sets options that the user did not: T = 1 from the first step and, for topic models, step sizes under which all
 *  rows of earlier fits and of one pass over `data` have equal weight; the topics then represent both. */
void continue_options(vtemper_options* options, const Arguments* arguments, vtemper_model* model,
                      const vtemper_data* data);
