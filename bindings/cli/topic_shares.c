#include "topic_shares.h"

#include <stdlib.h>

#include "failure.h"
#include "parameter.h"

static int larger_first(const void* a, const void* b) {
  const TopicShare *left = a, *right = b;
  if (left->share != right->share) return left->share < right->share ? 1 : -1;
  return left->topic < right->topic ? -1 : 1;
}

TopicShare* topic_shares(const vtemper_model* model, int64_t* topics) {
  vtemper_quantity info;
  if (!parameter_find(model, "tokens", &info) && !parameter_find(model, "factor.rate", &info)) {
    fail("a %s model has no topics", vtemper_model_kind(model));
  }
  double* tokens = parameter_values(model, &info);
  *topics = info.shape[0];
  TopicShare* shares = allocate((size_t)*topics, sizeof *shares);
  double total = 0;
  for (int64_t k = 0; k < *topics; ++k) total += tokens[k];
  for (int64_t k = 0; k < *topics; ++k) shares[k] = (TopicShare){k, total > 0 ? tokens[k] / total : 0};
  free(tokens);
  qsort(shares, (size_t)*topics, sizeof *shares, larger_first);
  return shares;
}

int64_t topic_given(const Arguments* arguments, const vtemper_model* model) {
  if (!argument(arguments, "topic")) return -1;
  int64_t topics;
  free(topic_shares(model, &topics));
  return argument_integer(arguments, "topic", 0, topics - 1, -1);
}

int64_t* topic_words(const vtemper_model* model, const char* how, int64_t topics, int64_t n) {
  int64_t* words = allocate((size_t)topics * (size_t)n, sizeof *words);
  check_words(vtemper_model_rank_all_words(model, how, n, words, NULL));
  return words;
}
