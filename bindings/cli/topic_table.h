#pragma once
/* The topics of a model as a human-readable table. */

#include <stdint.h>
#include <stdio.h>

#include <vtemper/vtemper.h>

#include "table_file.h"

/** Prints topics, largest share of the tokens first.
 *  @param how    ranking of vtemper_model_rank_words
 *  @param words  words per topic
 *  @param limit  number of topics, or 0 for all */
void topic_table_print(FILE* stream, const vtemper_model* model, const char* how, int64_t words, int64_t limit);

/** Writes a machine-readable table: one row per word of a topic, with its rank from 1 and its score by `how`. */
void topic_table_write(const char* path, TableFormat format, const vtemper_model* model, const char* how,
                       int64_t words, int64_t limit);
