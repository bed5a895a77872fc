#pragma once
/* Topic proportions of documents, in blocks of rows, for data of any size. */

#include <stdint.h>

#include <vtemper/vtemper.h>

/** Tokens of each topic: the sum over rows of proportions times tokens.
 *  @param data   with the model's columns
 *  @param tokens [topics] */
void topic_tokens_of(const vtemper_model* model, const vtemper_data* data, int64_t topics, double* tokens);
