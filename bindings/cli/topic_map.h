#pragma once
/* A map of topics: points whose distances are near the Jensen-Shannon distances of the topics' words. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What stands for the dissimilarity of two topics. */
typedef enum TopicDistance {
  JENSEN_SHANNON_DISTANCE,  /**< the square root of the divergence, which is a metric */
  JENSEN_SHANNON_DIVERGENCE /**< what LDAvis places topics by (Sievert and Shirley 2014) */
} TopicDistance;

/** Places the topics by classical multidimensional scaling (Torgerson 1952), the same on every run; x runs along the
 * larger spread. Where the vocabulary is so large that all pairs would take long, the rarer words count as one.
 *  @param topics  [count x words] probabilities, each row summing to one
 *  @param places  [count x 2] */
void topic_map(const double* topics, int64_t count, int64_t words, TopicDistance distance, double* places);

#ifdef __cplusplus
}
#endif
