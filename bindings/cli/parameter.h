#pragma once
/* Parameters of a model by name. */

#include <stdbool.h>

#include <vtemper/vtemper.h>

/** Describes a parameter; false where the model has none of that name. */
bool parameter_find(const vtemper_model* model, const char* name, vtemper_quantity* info);

/** Its values, row-major; the caller frees them. */
double* parameter_values(const vtemper_model* model, const vtemper_quantity* info);
