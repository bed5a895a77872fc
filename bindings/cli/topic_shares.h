#pragma once
/* Topics by size. */

#include <stdint.h>

#include <vtemper/vtemper.h>

#include "command.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A topic and its share of all tokens. */
typedef struct TopicShare {
  int64_t topic;
  double share;
} TopicShare;

/** All topics, largest first; the caller frees them. Exits for a model kind without topics.
 *  @param topics  receives their number */
TopicShare* topic_shares(const vtemper_model* model, int64_t* topics);

/** The topic that --topic names, or -1 if it was not given. Exits if the model has no such topic. */
int64_t topic_given(const Arguments* arguments, const vtemper_model* model);

/** The n highest-ranked words of every topic [topics x n], by topic number; the caller frees them. */
int64_t* topic_words(const vtemper_model* model, const char* how, int64_t topics, int64_t n);

#ifdef __cplusplus
}
#endif
