#include "topic_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

/* A topic and its share of all tokens. */
typedef struct TopicShare {
  int64_t topic;
  double share;
} TopicShare;

static int larger_first(const void* a, const void* b) {
  const TopicShare *left = a, *right = b;
  if (left->share != right->share) return left->share < right->share ? 1 : -1;
  return left->topic < right->topic ? -1 : 1;
}

static vtemper_quantity parameter(const vtemper_model* model, const char* name) {
  vtemper_quantity info = {.struct_size = sizeof info};
  int32_t count;
  check(vtemper_model_parameter_count(model, &count));
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_model_parameter_info(model, i, &info));
    if (strcmp(info.name, name) == 0) return info;
  }
  fail("a %s model has no topics", vtemper_model_kind(model));
}

/* Shares of the tokens, from the sums of lambda's rows. The caller frees them. */
static TopicShare* topic_shares(const vtemper_model* model, int64_t topics, int64_t columns) {
  double* lambda = allocate((size_t)topics * (size_t)columns, sizeof *lambda);
  check(vtemper_model_get(model, "lambda", lambda, topics * columns));
  TopicShare* shares = allocate((size_t)topics, sizeof *shares);
  double total = 0;
  for (int64_t k = 0; k < topics; ++k) {
    double sum = 0;
    for (int64_t j = 0; j < columns; ++j) sum += lambda[k * columns + j];
    shares[k] = (TopicShare){k, sum};
    total += sum;
  }
  free(lambda);
  for (int64_t k = 0; k < topics; ++k) shares[k].share /= total;
  qsort(shares, (size_t)topics, sizeof *shares, larger_first);
  return shares;
}

static void print_word(FILE* stream, const vtemper_model* model, int64_t column) {
  const char* name;
  check(vtemper_model_name(model, column, &name));
  if (*name) {
    fprintf(stream, " %s", name);
  } else {
    fprintf(stream, " #%" PRId64, column);
  }
}

void topic_table_print(FILE* stream, const vtemper_model* model, const char* how, int64_t words, int64_t limit) {
  const vtemper_quantity lambda = parameter(model, "lambda");
  const int64_t topics = lambda.shape[0], columns = lambda.shape[1];
  if (words > columns) words = columns;
  int64_t* ranked = allocate((size_t)words, sizeof *ranked);
  check_words(vtemper_model_rank_words(model, 0, how, words, ranked, NULL));
  TopicShare* shares = topic_shares(model, topics, columns);
  fprintf(stream, "topic   share   words by %s\n", how);
  for (int64_t i = 0; i < topics && (limit == 0 || i < limit); ++i) {
    check(vtemper_model_rank_words(model, shares[i].topic, how, words, ranked, NULL));
    fprintf(stream, "%5" PRId64 "  %5.2f %%  ", shares[i].topic, 100 * shares[i].share);
    for (int64_t j = 0; j < words; ++j) print_word(stream, model, ranked[j]);
    fputc('\n', stream);
  }
  free(shares);
  free(ranked);
}
