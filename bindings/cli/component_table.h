#pragma once
/* The components of a mixture, as a table and as a picture. */

#include <stdio.h>

#include <vtemper/vtemper.h>

/** Prints size, spread and mean of each component, or its probabilities of a one; nothing for models without such
 * components. */
void component_table_print(const vtemper_model* model);

/** Prints one line about empty components and one about duplicates, if there are any. */
void component_faults_print(FILE* stream, const vtemper_model* model);

/** Writes an SVG picture of the components' means or probabilities of a one: images of `shape` ("28x28"; NULL: square
 * if the number of columns allows it), otherwise profiles over the columns. */
void component_picture(const vtemper_model* model, const char* path, const char* shape);
