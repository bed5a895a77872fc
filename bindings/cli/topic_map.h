#pragma once
/* A map of topics: points whose distances approximate the Jensen-Shannon distances of the topics' words. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The dissimilarity of two topics. */
typedef enum TopicDistance {
  JENSEN_SHANNON_DISTANCE,  /**< the square root of the divergence, a metric */
  JENSEN_SHANNON_DIVERGENCE /**< used by LDAvis (Sievert and Shirley 2014) */
} TopicDistance;

/** Places the topics by classical multidimensional scaling (Torgerson 1952), deterministic; x is the direction of
 * larger spread. If the vocabulary is so large that all pairs would take long, the rarer words are merged into one.
 *  @param topics  [count x words] probabilities, each row summing to one
 *  @param places  [count x 2] */
void topic_map(const double* topics, int64_t count, int64_t words, TopicDistance distance, double* places);

#ifdef __cplusplus
}
#endif
