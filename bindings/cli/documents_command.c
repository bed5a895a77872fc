/* vtemper documents: the most representative documents of each topic. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "corpus.h"
#include "document_shares.h"
#include "failure.h"
#include "model_data.h"
#include "outside_text.h"
#include "ranking.h"
#include "row_labels.h"
#include "table_file.h"
#include "text_options.h"
#include "topic_labels.h"
#include "topic_shares.h"

enum { TEXT_SHOWN = 70 };

static const Flag flags[] = {
    {"count", 0, "N", "documents per topic; default 5"},
    {"topic", 0, "NUMBER", "only this topic"},
    {NULL, 0, NULL, NULL},
};

static const Flag* const shared_flags[] = {result_flags, table_flags, text_place_flags, NULL};

/* One line of human-readable output: share, name or number, and the beginning of the text. */
static void print_document(const Ranked* ranked, const vtemper_data* data, const RowLabels* labels) {
  const char* name = labels->has_names ? row_text(data, "name", ranked->row) : "";
  const char* text = row_text(data, "text", ranked->row);
  char* number = text_of("row %" PRId64, ranked->row);
  outside_printf(stdout, "       %5.1f %%  %s", 100 * ranked->score, *name ? name : number);
  if (*text) {
    char* shown = text_of(": %.*s", (int)beginning_length(text, TEXT_SHOWN), text);
    for (char* c = shown; *c; ++c) *c = strchr("\r\n\t", *c) ? ' ' : *c;
    print_outside_text(stdout, shown);
    free(shown);
  }
  putchar('\n');
  free(number);
}

static int run(const Arguments* arguments) {
  text_options_check(arguments);
  const TableFormat format = result_format(arguments);
  const int64_t wanted = argument_integer(arguments, "count", 1, INT32_MAX, 5);
  vtemper_model* model = model_operand(arguments);
  const int64_t only = topic_given(arguments, model);
  vtemper_data* data = model_data_read(arguments, arguments->operands[1], model, arguments->operands[0], true);
  const int64_t rows = corpus_rows(data);
  int64_t topics;
  double* shares = document_shares(model, data, &topics);
  const RowLabels labels = row_labels(data);
  TopicLabels labels_of_topics = topic_labels(model, topics);
  const bool has_texts = argument(arguments, "text") != NULL;
  Ranked* ranked = allocate((size_t)rows, sizeof *ranked);
  TableFile table = table_start(format);
  if (format != TABLE_NONE) {
    table_column(&table, "topic");
    table_column(&table, "label");
    table_column(&table, "rank");
    table_column(&table, "share");
    row_label_columns(&table, &labels);
    if (has_texts) table_column(&table, "text");
    table_open(&table, argument(arguments, "output"));
  } else {
    printf("         share  document\n");
  }
  for (int64_t topic = 0; topic < topics; ++topic) {
    if (only >= 0 && topic != only) continue;
    for (int64_t row = 0; row < rows; ++row) ranked[row] = (Ranked){row, shares[row * topics + topic]};
    rank_rows(ranked, rows, LARGEST_FIRST);
    if (format == TABLE_NONE) {
      printf("topic %" PRId64 ": ", topic);
      print_outside_text(stdout, labels_of_topics.labels[topic]);
      putchar('\n');
    }
    for (int64_t i = 0; i < rows && i < wanted; ++i) {
      if (format == TABLE_NONE) {
        print_document(&ranked[i], data, &labels);
        continue;
      }
      table_integer(&table, topic);
      table_text(&table, labels_of_topics.labels[topic]);
      table_integer(&table, i + 1);
      table_real(&table, ranked[i].score);
      row_label_cells(&table, &labels, ranked[i].row);
      if (has_texts) table_text(&table, row_text(data, "text", ranked[i].row));
    }
  }
  if (format != TABLE_NONE) table_close(&table);
  free(ranked);
  topic_labels_free(&labels_of_topics);
  free(shares);
  vtemper_data_destroy(data);
  vtemper_model_destroy(model);
  return EXIT_DONE;
}

const Command documents_command = {
    .name = "documents",
    .usage = "MODEL DATA [--count N] [--topic NUMBER] [--text ...] [-o FILE.csv|.tsv|.json]",
    .description = "shows the documents that represent each topic",
    .notes =
        "Largest share of the topic first. With --text the documents are read again and their text is shown, too.",
    .min_operands = 2,
    .max_operands = 2,
    .flags = flags,
    .shared_flags = shared_flags,
    .run = run,
};
