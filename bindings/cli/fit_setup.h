#pragma once
/* Creates the inputs of a fit from the arguments. */

#include <vtemper/vtemper.h>

#include "command.h"

/** Before the data of --resume are read: they are for the model of its checkpoint. */
void data_needed_by_checkpoint(const Arguments* arguments);

/** The first operand: counts of any format, or raw text with --text. */
vtemper_data* data_to_fit(const Arguments* arguments);

/** A model of kind --model with the given options. */
vtemper_model* model_to_fit(const Arguments* arguments);

/** An optimizer with the given options; short runs report often enough to draw a curve. */
vtemper_optimizer* optimizer_to_fit(const Arguments* arguments, vtemper_model* model, const vtemper_data* data);
