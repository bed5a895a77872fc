#pragma once
/* Topics that are of no use: without tokens, or with the words of another. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is wrong with each topic of a model. */
typedef struct TopicFaults {
  int64_t topics;        /**< 0 where the kind of model has none */
  double* tokens;        /**< [topics] that each holds */
  int64_t* duplicate_of; /**< [topics] the earlier topic with the same words, or -1; -1 of unused ones as well */
  int64_t unused;        /**< how many hold less than half a token */
  int64_t duplicates;
} TopicFaults;

TopicFaults topic_faults_find(const vtemper_model* model);
void topic_faults_free(TopicFaults* faults);

bool topic_is_unused(const TopicFaults* faults, int64_t topic);

/** Up to two lines that count the unused and the duplicate topics and number the first ten of each; nothing where
 * there are none. */
void topic_faults_print(FILE* stream, const TopicFaults* faults);

#ifdef __cplusplus
}
#endif
