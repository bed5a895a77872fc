#include "topic_table.h"

#include <inttypes.h>
#include <stdlib.h>

#include "corpus.h"
#include "failure.h"
#include "outside_text.h"
#include "topic_labels.h"
#include "topic_shares.h"

enum { LONGEST_LABEL = 36 };

static int larger(int a, int b) {
  return a > b ? a : b;
}

/* Number of characters of a text. */
static int text_width(const char* text) {
  int width = 0;
  for (; *text; ++text) width += ((unsigned char)*text & 0xc0) != 0x80;
  return width;
}

static void print_word(FILE* stream, const vtemper_model* model, int64_t column) {
  const char* name;
  check(vtemper_model_name(model, column, &name));
  if (*name) {
    fputc(' ', stream);
    print_outside_text(stream, name);
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
  TopicLabels labels = topic_labels(model, topics);
  int width = 0;
  for (int64_t k = 0; k < topics; ++k) width = larger(width, text_width(labels.labels[k]));
  width = width < LONGEST_LABEL ? width : LONGEST_LABEL;
  fprintf(stream, "topic   share   %-*s  words by %s\n", width, "label", how);
  for (int64_t i = 0; i < topics && (limit == 0 || i < limit); ++i) {
    const char* label = labels.labels[shares[i].topic];
    fprintf(stream, "%5" PRId64 "  %5.2f %%  ", shares[i].topic, 100 * shares[i].share);
    print_outside_text(stream, label);
    fprintf(stream, "%*s ", larger(0, width - text_width(label)), "");
    for (int64_t j = 0; j < words; ++j) print_word(stream, model, ranked[shares[i].topic * words + j]);
    fputc('\n', stream);
  }
  topic_labels_free(&labels);
  free(ranked);
  free(shares);
}

void topic_table_write(const char* path, TableFormat format, const vtemper_model* model, const char* how,
                       int64_t words, int64_t limit) {
  int64_t topics;
  TopicShare* shares = topic_shares(model, &topics);
  const int64_t columns = model_columns(model);
  if (words > columns) words = columns;
  int64_t* ranked = allocate((size_t)(topics * words), sizeof *ranked);
  double* scores = allocate((size_t)(topics * words), sizeof *scores);
  check_words(vtemper_model_rank_all_words(model, how, words, ranked, scores));
  TopicLabels labels = topic_labels(model, topics);
  TableFile table = table_start(format);
  static const char* const names[] = {"topic", "label", "share", "rank", "word", "score"};
  for (int i = 0; i < 6; ++i) table_column(&table, names[i]);
  table_open(&table, path);
  for (int64_t i = 0; i < topics && (limit == 0 || i < limit); ++i) {
    for (int64_t j = 0; j < words; ++j) {
      const int64_t place = shares[i].topic * words + j;
      const char* name;
      check(vtemper_model_name(model, ranked[place], &name));
      char* number = text_of("#%" PRId64, ranked[place]);
      table_integer(&table, shares[i].topic);
      table_text(&table, labels.labels[shares[i].topic]);
      table_real(&table, shares[i].share);
      table_integer(&table, j + 1);
      table_text(&table, *name ? name : number);
      table_real(&table, scores[place]);
      free(number);
    }
  }
  table_close(&table);
  topic_labels_free(&labels);
  free(scores);
  free(ranked);
  free(shares);
}
