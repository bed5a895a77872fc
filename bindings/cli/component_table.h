#pragma once
/* The components of a mixture, as a table and as a picture. */

#include <stdio.h>

#include <vtemper/vtemper.h>

/** Prints size, spread and mean of each component; nothing for models that are no mixtures of means. */
void component_table_print(const vtemper_model* model);

/** Prints a line on components without rows and one on components that repeat others, where there are such. */
void component_faults_print(FILE* stream, const vtemper_model* model);

/** Writes an SVG picture of the components' means: images of `shape` ("28x28"; NULL: square where the number of
 * columns allows it), else profiles over the columns. */
void component_picture(const vtemper_model* model, const char* path, const char* shape);
