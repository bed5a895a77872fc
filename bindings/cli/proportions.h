#pragma once
/* Topic proportions of documents, some rows at a time, whatever the size of the data. */

#include <stdint.h>

#include <vtemper/vtemper.h>

/** Sum over the rows of proportions times tokens: the tokens of each topic.
 *  @param data   with the model's columns
 *  @param tokens [topics] */
void topic_tokens_of(const vtemper_model* model, const vtemper_data* data, int64_t topics, double* tokens);
