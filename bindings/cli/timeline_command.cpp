// vtemper timeline: topic shares over the dates of the documents.

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "command.h"
#include "corpus.h"
#include "document_shares.h"
#include "failure.h"
#include "model_data.h"
#include "numbers.h"
#include "outside_text.h"
#include "ranking.h"
#include "row_labels.h"
#include "text_options.h"
#include "topic_labels.h"
#include "topic_shares.h"
#include "topic_statistics.h"

namespace {

const Flag flags[] = {
    {"by", 0, "PERIOD", "day, month (default), quarter or year"},
    {"topic", 0, "NUMBER", "only this topic"},
    {nullptr, 0, nullptr, nullptr},
};

const Flag* const shared_flags[] = {result_flags, table_flags, text_place_flags, nullptr};

void write_timeline(const Arguments* arguments, TableFormat format, const Timeline& timeline, int64_t topics,
                    int64_t only, const TopicLabels& labels) {
  TableFile table = table_start(format);
  if (format != TABLE_NONE) {
    for (const char* name : {"period", "documents", "topic", "label", "share", "deviation", "standard_error"}) {
      table_column(&table, name);
    }
    table_open(&table, argument(arguments, "output"));
  }
  for (int64_t k = 0; k < topics; ++k) {
    if (only >= 0 && k != only) continue;
    if (format == TABLE_NONE) {
      std::printf("topic %lld: ", static_cast<long long>(k));
      print_outside_text(stdout, labels.labels[k]);
      std::printf("\n  period      documents    share  standard error\n");
    }
    for (const Period& period : timeline.periods) {
      const double mean = period.mean[static_cast<size_t>(k)], deviation = period.deviation[static_cast<size_t>(k)];
      const double error = deviation / std::sqrt(static_cast<double>(period.documents));
      if (format == TABLE_NONE) {
        std::printf("  %-10s  %9lld  %5.2f %%", period.name.c_str(), static_cast<long long>(period.documents),
                    100 * mean);
        if (std::isfinite(error)) std::printf("  %12.2f %%", 100 * error);
        std::putchar('\n');
        continue;
      }
      table_text(&table, period.name.c_str());
      table_integer(&table, period.documents);
      table_integer(&table, k);
      table_text(&table, labels.labels[k]);
      table_real(&table, mean);
      table_real(&table, deviation);
      table_real(&table, error);
    }
  }
  if (format != TABLE_NONE) table_close(&table);
}

int run(const Arguments* arguments) {
  text_options_check(arguments);
  const char *by = argument(arguments, "by"), *path = arguments->operands[1];
  PeriodLength length = PeriodLength::month;
  if (by != nullptr && !parse_period_length(by, length)) {
    fail_usage("--by is \"%s\"; it must be day, month, quarter or year", by);
  }
  const TableFormat format = result_format(arguments);
  vtemper_model* model = model_operand(arguments);
  const int64_t only = topic_given(arguments, model);
  vtemper_data* data = model_data_read(arguments, path, model, arguments->operands[0], false);
  if (!row_labels(data).has_dates) {
    fail("the documents of %s have no dates: convert --text and this command with --text accept --date-column NAME",
         path);
  }
  int64_t topics;
  double* shares = document_shares(model, data, &topics);
  const Timeline timeline = topic_timeline(data, shares, corpus_rows(data), topics, length);
  const char* first = timeline.without_date > 0 ? row_text(data, "date", timeline.first_without) : "";
  if (timeline.periods.empty()) {
    fail("no date of %s can be read as a %s, the first is \"%s\"; 2024-05-17, 2024-05 and 2024 are dates", path,
         by != nullptr ? by : "month", first);
  }
  if (timeline.without_date > 0 && argument(arguments, "quiet") == nullptr) {
    const bool one = timeline.without_date == 1;
    char count[NUMBER_LENGTH];
    outside_printf(stderr, "%s: %s %s no date that can be read as a %s and %s left out%s \"%s\" of row %lld\n", path,
                   format_count(count, timeline.without_date), plural(one, "document has", "documents have"),
                   by != nullptr ? by : "month", plural(one, "is", "are"), plural(one, ":", ", the first is"), first,
                   static_cast<long long>(timeline.first_without));
  }
  TopicLabels labels = topic_labels(model, topics);
  write_timeline(arguments, format, timeline, topics, only, labels);
  topic_labels_free(&labels);
  std::free(shares);
  vtemper_data_destroy(data);
  vtemper_model_destroy(model);
  return EXIT_DONE;
}

}  // namespace

const Command timeline_command = {
    "timeline",
    "MODEL DATA [--by PERIOD] [--topic NUMBER] [--text ... --date-column NAME] [-o FILE.csv|.tsv|.json]",
    "shows the shares of topics over the dates of the documents",
    "The mean share of each topic in the documents of a period, the standard deviation over these documents\n"
    "and the standard error of the mean. Dates are such as 2024-05-17, 2024/05/17, 20240517, 17.05.2024,\n"
    "2024-05 or 2024; a time of day may follow.",
    2,
    2,
    0,
    flags,
    shared_flags,
    nullptr,
    run,
    false,
};
