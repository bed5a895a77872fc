/* vtemper convert: any readable format to the mapped corpus. */

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "corpus.h"
#include "failure.h"
#include "numbers.h"
#include "output_file.h"
#include "text_corpus.h"

static const Flag flags[] = {
    {"text", 0, NULL, "DATA is running text, one document a line"},
    {"min-documents", 0, "N", "with --text: words of fewer documents are dropped; usually 5"},
    {"max-share", 0, "SHARE", "with --text: words of more of the documents are dropped; usually 0.2"},
    {"vocabulary-size", 0, "N", "with --text: so many of the most frequent words stay; usually 10000"},
    {"vocabulary", 0, "FILE", "names of the columns, one a line"},
    {"format", 0, "NAME",
     "a format of the manual page; usually recognised, but for sequences and labelled_sequences"},
    {"quiet", 'q', NULL, "no summary"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const char* const text_flags[] = {"min-documents", "max-share", "vocabulary-size"};
static const char* const count_flags[] = {"vocabulary", "format"};

static vtemper_data* read_text(const Arguments* arguments) {
  for (int i = 0; i < 2; ++i) {
    if (argument(arguments, count_flags[i])) fail_usage("--%s does not go with --text", count_flags[i]);
  }
  const TextRules rules = {
      .min_documents = argument_integer(arguments, "min-documents", 1, INT64_MAX, 5),
      .max_share = argument_real(arguments, "max-share", 0, 1, 0.2),
      .vocabulary_size = argument_integer(arguments, "vocabulary-size", 1, INT32_MAX, 10000),
  };
  return corpus_from_text(arguments->operands[0], &rules);
}

static vtemper_data* read_counts(const Arguments* arguments) {
  for (int i = 0; i < 3; ++i) {
    if (argument(arguments, text_flags[i])) fail_usage("--%s needs --text", text_flags[i]);
  }
  return corpus_read(arguments->operands[0], argument(arguments, "format"), argument(arguments, "vocabulary"));
}

static int run(const Arguments* arguments) {
  output_check(arguments->operands[1], true);
  vtemper_data* data = argument(arguments, "text") ? read_text(arguments) : read_counts(arguments);
  check(vtemper_data_write(data, arguments->operands[1]));
  if (!argument(arguments, "quiet")) {
    char rows[NUMBER_LENGTH], columns[NUMBER_LENGTH], entries[NUMBER_LENGTH];
    format_count(rows, corpus_rows(data));
    format_count(columns, corpus_columns(data));
    vtemper_data_form form;
    check(vtemper_data_kind(data, &form));
    if (form == VTEMPER_DENSE) {
      fprintf(stderr, "%s: %s rows, %s columns\n", arguments->operands[1], rows, columns);
    } else {
      const char* const units = form == VTEMPER_COUNTS ? "%s: %s documents, %s words, %s tokens\n"
                                                       : "%s: %s sequences, %s symbols in the alphabet, %s in all\n";
      fprintf(stderr, units, arguments->operands[1], rows, columns,
              format_count(entries, (int64_t)corpus_total(data)));
    }
  }
  vtemper_data_destroy(data);
  return EXIT_DONE;
}

const Command convert_command = {
    .name = "convert",
    .usage = "DATA OUT [--text] [--vocabulary FILE] [--format NAME]",
    .sentence = "writes data as a mapped corpus, which opens at once whatever its size",
    .notes =
        "With --text words are lower-cased runs of at least three letters a to z (letters beyond ASCII separate\n"
        "words); common English function words are dropped. Documents without kept words stay, empty. The\n"
        "columns are the kept words, most frequent first.",
    .least_operands = 2,
    .most_operands = 2,
    .flags = flags,
    .run = run,
};
