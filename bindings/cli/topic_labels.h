#pragma once
/* Labels of topics: the two or three words that distinguish a topic from all others. */

#include <stdint.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The labels of a model's topics by topic number: words separated by blanks. */
typedef struct TopicLabels {
  char** labels;
  int64_t count;
} TopicLabels;

/** Exits for a model kind without words. Inflections of one word (galaxy, galaxies) are used once. */
TopicLabels topic_labels(const vtemper_model* model, int64_t topics);
void topic_labels_free(TopicLabels* labels);

#ifdef __cplusplus
}
#endif
