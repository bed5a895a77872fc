#pragma once
/* What is known of the text behind data and models, for people to read. */

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Prints on stdout how the words were made and which texts the rows have; nothing where there is neither. */
void text_facts_print_data(const vtemper_data* data);
/** Prints on stdout how the words of the model were made, where that is known. */
void text_facts_print_model(const vtemper_model* model);

#ifdef __cplusplus
}
#endif
