#pragma once
/* Useless topics: without tokens, or with the words of another topic. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Faults of each topic of a model. */
typedef struct TopicFaults {
  int64_t topics;        /**< 0 for models without topics */
  double* tokens;        /**< [topics] tokens of each */
  int64_t* duplicate_of; /**< [topics] an earlier topic with the same words, or -1; -1 for unused ones as well */
  int64_t unused;        /**< number of topics with less than half a token */
  int64_t duplicates;
  int64_t words_compared; /**< most probable words that a duplicate has in common with the earlier topic */
} TopicFaults;

TopicFaults topic_faults_find(const vtemper_model* model);
void topic_faults_free(TopicFaults* faults);

bool topic_is_unused(const TopicFaults* faults, int64_t topic);

/** Up to two lines with the number of unused and of duplicate topics and the first ten of each; nothing if there are
 * none. */
void topic_faults_print(FILE* stream, const TopicFaults* faults);

#ifdef __cplusplus
}
#endif
