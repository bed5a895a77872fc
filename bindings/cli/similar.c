/* vtemper similar: the documents or topics most similar to a given one. */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "corpus.h"
#include "document_shares.h"
#include "failure.h"
#include "model_data.h"
#include "numbers.h"
#include "outside_text.h"
#include "ranking.h"
#include "row_labels.h"
#include "table_file.h"
#include "text_options.h"
#include "topic_labels.h"
#include "topic_shares.h"

enum { WORDS_SHOWN = 6 };

static const Flag flags[] = {
    {"to", 0, "DOCUMENT", "its name, or the number of its row from 0"},
    {"topic", 0, "NUMBER", "topics similar to this one, instead of documents; needs no DATA"},
    {"count", 0, "N", "how many; default 10"},
    {NULL, 0, NULL, NULL},
};

static const Flag* const shared_flags[] = {result_flags, table_flags, text_place_flags, NULL};

/* Hellinger distance of two distributions: 0 if equal, 1 if their supports are disjoint. */
static double distance_of(const double* a, const double* b, int64_t length) {
  double common = 0;
  for (int64_t i = 0; i < length; ++i) common += sqrt(a[i] * b[i]);
  return common < 1 ? sqrt(1 - common) : 0;
}

/* The row of that name or, if there is none, of that number. */
static int64_t find_row(const vtemper_data* data, const char* wanted) {
  const int64_t rows = corpus_rows(data);
  for (int64_t row = 0; row < rows; ++row) {
    if (strcmp(row_text(data, "name", row), wanted) == 0) return row;
  }
  int64_t number;
  if (!parse_integer(wanted, &number)) fail("there is no document called \"%s\"", wanted);
  if (number < 0 || number >= rows) fail("there is no row %s; there are %" PRId64 ", from 0", wanted, rows);
  return number;
}

/* The rows of values [rows x columns] by distance from one of them; the caller frees them. */
static Ranked* nearest_rows(const double* values, int64_t rows, int64_t columns, int64_t own) {
  Ranked* ranked = allocate((size_t)rows, sizeof *ranked);
  int64_t count = 0;
  for (int64_t row = 0; row < rows; ++row) {
    if (row == own) continue;
    ranked[count++] = (Ranked){row, distance_of(values + own * columns, values + row * columns, columns)};
  }
  rank_rows(ranked, count, SMALLEST_FIRST);
  return ranked;
}

/* The most probable words of a topic, separated by blanks; the caller frees them. */
static char* words_of(const vtemper_model* model, const int64_t* words) {
  char* text = text_of("%s", "");
  for (int i = 0; i < WORDS_SHOWN && i < model_columns(model); ++i) {
    const char* name;
    check(vtemper_model_name(model, words[i], &name));
    char* number = text_of("#%" PRId64, words[i]);
    char* longer = text_of("%s%s%s", text, i > 0 ? " " : "", *name ? name : number);
    free(number);
    free(text);
    text = longer;
  }
  return text;
}

static void show_topics(const Arguments* arguments, const vtemper_model* model, TableFormat format, int64_t most) {
  int64_t topics;
  free(topic_shares(model, &topics)); /* exits if there are no topics */
  const int64_t own = argument_integer(arguments, "topic", 0, topics - 1, 0), words = model_columns(model);
  const int64_t shown = words < WORDS_SHOWN ? words : WORDS_SHOWN;
  double* values = allocate((size_t)topics, (size_t)words * sizeof *values);
  check(vtemper_model_get(model, "topics", values, topics * words));
  Ranked* ranked = nearest_rows(values, topics, words, own);
  int64_t* best = topic_words(model, "probability", topics, shown);
  TopicLabels labels = topic_labels(model, topics);
  TableFile table = table_start(format);
  if (format == TABLE_NONE) {
    printf("distance topic  label: words\n");
  } else {
    static const char* const names[] = {"rank", "distance", "topic", "label", "words"};
    for (int i = 0; i < 5; ++i) table_column(&table, names[i]);
    table_open(&table, argument(arguments, "output"));
  }
  for (int64_t i = 0; i < topics - 1 && i < most; ++i) {
    char* text = words_of(model, best + ranked[i].row * shown);
    if (format == TABLE_NONE) {
      printf("%8.4f %5" PRId64 "  ", ranked[i].score, ranked[i].row);
      print_outside_text(stdout, labels.labels[ranked[i].row]);
      printf(": ");
      print_outside_text(stdout, text);
      putchar('\n');
    } else {
      table_integer(&table, i + 1);
      table_real(&table, ranked[i].score);
      table_integer(&table, ranked[i].row);
      table_text(&table, labels.labels[ranked[i].row]);
      table_text(&table, text);
    }
    free(text);
  }
  if (format != TABLE_NONE) table_close(&table);
  topic_labels_free(&labels);
  free(best);
  free(ranked);
  free(values);
}

static void check_arguments(const Arguments* arguments) {
  text_options_check(arguments);
  if (argument(arguments, "topic")) {
    if (argument(arguments, "to")) fail_usage("--topic and --to cannot be combined");
    if (arguments->operand_count > 1) fail_usage("--topic needs no data: leave %s out", arguments->operands[1]);
    const char* reading = reading_option(arguments);
    if (reading) fail_usage("--topic needs no data: leave --%s out", reading);
    return;
  }
  argument_required(arguments, "to");
  if (arguments->operand_count < 2) fail_usage("--to needs the documents: vtemper similar MODEL DATA --to DOCUMENT");
}

static int run(const Arguments* arguments) {
  check_arguments(arguments);
  const char* wanted = argument(arguments, "to");
  const TableFormat format = result_format(arguments);
  const int64_t most = argument_integer(arguments, "count", 1, INT32_MAX, 10);
  vtemper_model* model = model_operand(arguments);
  if (!wanted) {
    show_topics(arguments, model, format, most);
    vtemper_model_destroy(model);
    return EXIT_DONE;
  }
  vtemper_data* data = model_data_read(arguments, arguments->operands[1], model, arguments->operands[0], false);
  const int64_t rows = corpus_rows(data), own = find_row(data, wanted);
  int64_t topics;
  double* shares = document_shares(model, data, &topics);
  Ranked* ranked = nearest_rows(shares, rows, topics, own);
  const RowLabels labels = row_labels(data);
  TableFile table = table_start(format);
  if (format != TABLE_NONE) {
    table_column(&table, "rank");
    table_column(&table, "distance");
    row_label_columns(&table, &labels);
    table_open(&table, argument(arguments, "output"));
  } else {
    printf("distance   row  document\n");
  }
  for (int64_t i = 0; i < rows - 1 && i < most; ++i) {
    if (format == TABLE_NONE) {
      outside_printf(stdout, "%8.4f %5" PRId64 "  %s\n", ranked[i].score, ranked[i].row,
                     row_text(data, "name", ranked[i].row));
      continue;
    }
    table_integer(&table, i + 1);
    table_real(&table, ranked[i].score);
    row_label_cells(&table, &labels, ranked[i].row);
  }
  if (format != TABLE_NONE) table_close(&table);
  free(ranked);
  free(shares);
  vtemper_data_destroy(data);
  vtemper_model_destroy(model);
  return EXIT_DONE;
}

const Command similar_command = {
    .name = "similar",
    .usage = "MODEL DATA --to DOCUMENT [--count N] [--text ...] [-o FILE.csv|.tsv|.json] | MODEL --topic NUMBER",
    .description = "shows the documents or topics most similar to one of them",
    .notes =
        "By the Hellinger distance between their shares of topics, or between the topics' words: 0 if they are\n"
        "equal, 1 if they have nothing in common.",
    .min_operands = 1,
    .max_operands = 2,
    .flags = flags,
    .shared_flags = shared_flags,
    .run = run,
};
