/* vtemper topics: prints topics and their words. */

#include <inttypes.h>

#include "command.h"
#include "corpus.h"
#include "failure.h"
#include "output_file.h"
#include "topic_table.h"

static const Flag flags[] = {
    {"words", 0, "N", "words per topic; default 10"},
    {"rank", 0, "HOW", "probability (default), lift, relevance[:WEIGHT], frex[:WEIGHT] or label[:WEIGHT]"},
    {"limit", 0, "N", "only the N largest topics"},
    {"output", 'o', "FILE",
     "writes it there instead of to stdout; as rows of words if it ends with .csv, .tsv or .json"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const Flag* const shared_flags[] = {table_flags, NULL};

static int run(const Arguments* arguments) {
  const int64_t words = argument_integer(arguments, "words", 1, 1000000, 10);
  const int64_t limit = argument_integer(arguments, "limit", 1, INT32_MAX, 0);
  const char* how = argument(arguments, "rank");
  const char* path = argument(arguments, "output");
  if (!how) how = "probability";
  const TableFormat format = table_format(arguments, path);
  if (path) output_check(path, false);
  vtemper_model* model = model_read(arguments->operands[0]);
  if (format != TABLE_NONE || argument(arguments, "header")) {
    topic_table_write(path, format == TABLE_NONE ? TABLE_CSV : format, model, how, words, limit);
  } else if (path) {
    OutputFile output;
    output_open(&output, path);
    topic_table_print(output.stream, model, how, words, limit);
    output_close(&output);
  } else {
    topic_table_print(stdout, model, how, words, limit);
  }
  vtemper_model_destroy(model);
  return EXIT_DONE;
}

const Command topics_command = {
    .name = "topics",
    .usage = "MODEL [--words N] [--rank HOW] [--limit N] [-o FILE]",
    .description = "prints the topics of a model and their words",
    .notes =
        "Largest share of the tokens first. The label of a topic is the words that distinguish it from all others.\n"
        "lift: probability over the word's overall probability; relevance: 0.6 log probability + 0.4 log\n"
        "lift (relevance:0.3 uses 0.3 and 0.7); frex: harmonic mean of the ranks of exclusivity and\n"
        "frequency (frex:0.7 weights exclusivity by 0.7 instead of 0.5); label: what a word contributes to the\n"
        "distances of the topic from all topics together and from the other topic that has most of the word\n"
        "(label:0.8 weights the latter by 0.8 instead of 0.5).",
    .min_operands = 1,
    .max_operands = 1,
    .flags = flags,
    .shared_flags = shared_flags,
    .run = run,
};
