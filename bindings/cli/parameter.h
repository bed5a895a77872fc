#pragma once
/* Parameters of a model by name. */

#include <stdbool.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Describes a parameter; returns false if the model has none of that name. */
bool parameter_find(const vtemper_model* model, const char* name, vtemper_quantity* info);

enum { SHAPE_LENGTH = 100 };

/** Its shape with `between` between the dimensions. Returns `text`. */
char* format_shape(char text[SHAPE_LENGTH], const vtemper_quantity* info, const char* between);

/** Its values, row-major; the caller frees them. */
double* parameter_values(const vtemper_model* model, const vtemper_quantity* info);

#ifdef __cplusplus
}
#endif
