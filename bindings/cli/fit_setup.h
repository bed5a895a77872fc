#pragma once
/* What a fit begins with, as the arguments say. */

#include <vtemper/vtemper.h>

#include "command.h"

/** The first operand: counts of any format, or raw text with --text. */
vtemper_data* data_to_fit(const Arguments* arguments);

/** A model of the kind --model with the options given. */
vtemper_model* model_to_fit(const Arguments* arguments);

/** An optimizer with the options given; a short run reports often enough for a curve. */
vtemper_optimizer* optimizer_to_fit(const Arguments* arguments, vtemper_model* model, const vtemper_data* data);
