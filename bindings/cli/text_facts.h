#pragma once
/* Human-readable facts about the text behind data and models. */

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Prints on stdout how the words were made and which texts the rows have; nothing if neither is known. */
void text_facts_print_data(const vtemper_data* data);
/** Prints on stdout how the words of the model were made, if known. */
void text_facts_print_model(const vtemper_model* model);

#ifdef __cplusplus
}
#endif
