// vtemper correlation: which topics occur together in documents, and which avoid each other.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "command.h"
#include "corpus.h"
#include "document_shares.h"
#include "failure.h"
#include "model_data.h"
#include "outside_text.h"
#include "ranking.h"
#include "text_options.h"
#include "topic_labels.h"
#include "topic_shares.h"
#include "topic_statistics.h"

namespace {

constexpr int64_t default_count = 20;

const Flag flags[] = {
    {"topic", 0, "NUMBER", "only pairs of this topic"},
    {"count", 0, "N", "number of pairs, highest first; default 20, in files all"},
    {nullptr, 0, nullptr, nullptr},
};

const Flag* const shared_flags[] = {result_flags, table_flags, text_place_flags, nullptr};

void write_pairs(const Arguments* arguments, TableFormat format, const std::vector<Ranked>& pairs, int64_t shown,
                 int64_t topics, const TopicLabels& labels) {
  const auto rows = static_cast<int64_t>(pairs.size());
  TableFile table = table_start(format);
  if (format == TABLE_NONE) {
    std::printf("correlation  topics\n");
  } else {
    for (const char* name : {"correlation", "topic", "label", "other_topic", "other_label"})
      table_column(&table, name);
    table_open(&table, argument(arguments, "output"));
  }
  for (int64_t i = 0; i < rows && i < shown; ++i) {
    const Ranked& pair = pairs[static_cast<size_t>(i)];
    const int64_t first = pair.row / topics, second = pair.row % topics;
    if (format == TABLE_NONE) {
      std::printf("%11.4f  %lld ", pair.score, static_cast<long long>(first));
      print_outside_text(stdout, labels.labels[first]);
      std::printf("; %lld ", static_cast<long long>(second));
      print_outside_text(stdout, labels.labels[second]);
      std::putchar('\n');
      continue;
    }
    table_real(&table, pair.score);
    table_integer(&table, first);
    table_text(&table, labels.labels[first]);
    table_integer(&table, second);
    table_text(&table, labels.labels[second]);
  }
  if (format != TABLE_NONE) table_close(&table);
}

int run(const Arguments* arguments) {
  text_options_check(arguments);
  const TableFormat format = result_format(arguments);
  const int64_t shown =
      argument_integer(arguments, "count", 1, INT64_MAX, format == TABLE_NONE ? default_count : INT64_MAX);
  vtemper_model* model = model_operand(arguments);
  const int64_t only = topic_given(arguments, model);
  vtemper_data* data = model_data_read(arguments, arguments->operands[1], model, arguments->operands[0], false);
  int64_t topics;
  double* shares = document_shares(model, data, &topics);
  const std::vector<double> correlations = topic_correlations(shares, corpus_rows(data), topics);
  std::vector<Ranked> pairs;
  for (int64_t k = 0; k < topics; ++k) {
    for (int64_t j = 0; j < topics; ++j) {
      const bool wanted = only < 0 ? k < j : k == only && j != only;
      const double value = correlations[static_cast<size_t>(k * topics + j)];
      if (wanted && std::isfinite(value)) pairs.push_back({k * topics + j, value});
    }
  }
  rank_rows(pairs.data(), static_cast<int64_t>(pairs.size()), LARGEST_FIRST);
  TopicLabels labels = topic_labels(model, topics);
  write_pairs(arguments, format, pairs, shown, topics, labels);
  topic_labels_free(&labels);
  std::free(shares);
  vtemper_data_destroy(data);
  vtemper_model_destroy(model);
  return EXIT_DONE;
}

}  // namespace

const Command correlation_command = {
    "correlation",
    "MODEL DATA [--topic NUMBER] [--count N] [--text ...] [-o FILE.csv|.tsv|.json]",
    "shows which topics occur together in documents",
    "Pearson correlations, over the documents, of the shares of two topics, highest first. Topics whose\n"
    "share is the same in all documents are left out.",
    2,
    2,
    0,
    flags,
    shared_flags,
    nullptr,
    run,
    false,
};
