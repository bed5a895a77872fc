#include "topic_table.h"

#include <inttypes.h>
#include <stdlib.h>

#include "corpus.h"
#include "failure.h"
#include "topic_shares.h"

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
  int64_t topics;
  TopicShare* shares = topic_shares(model, &topics);
  const int64_t columns = model_columns(model);
  if (words > columns) words = columns;
  int64_t* ranked = topic_words(model, how, topics, words);
  fprintf(stream, "topic   share   words by %s\n", how);
  for (int64_t i = 0; i < topics && (limit == 0 || i < limit); ++i) {
    fprintf(stream, "%5" PRId64 "  %5.2f %%  ", shares[i].topic, 100 * shares[i].share);
    for (int64_t j = 0; j < words; ++j) print_word(stream, model, ranked[shares[i].topic * words + j]);
    fputc('\n', stream);
  }
  free(ranked);
  free(shares);
}
