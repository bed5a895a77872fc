/* vtemper convert: any readable format to the mapped corpus. */

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "corpus.h"
#include "failure.h"
#include "fractions.h"
#include "library_file.h"
#include "numbers.h"
#include "output_file.h"
#include "text_options.h"

static const Flag flags[] = {
    {"vocabulary", 0, "FILE", "names of the columns, one a line"},
    {"format", 0, "NAME",
     "a format of the manual page; usually recognised, but for sequences and labelled_sequences"},
    {"quiet", 'q', NULL, "no summary"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const Flag* const shared_flags[] = {text_place_flags, text_word_flags, NULL};

static vtemper_data* read_data(const Arguments* arguments) {
  text_options_check(arguments);
  const char* path = arguments->operands[0];
  if (argument(arguments, "text")) {
    const TextRequest request = text_request(arguments, path);
    return text_corpus_learn(&request);
  }
  return corpus_read(path, argument(arguments, "format"), argument(arguments, "vocabulary"));
}

static int run(const Arguments* arguments) {
  output_check(arguments->operands[1], true);
  vtemper_data* data = read_data(arguments);
  save_data_file(data, arguments->operands[1]);
  if (!argument(arguments, "quiet")) {
    report_fractions(arguments->operands[0], data);
    char rows[NUMBER_LENGTH], columns[NUMBER_LENGTH], entries[NUMBER_LENGTH];
    format_count(rows, corpus_rows(data));
    format_count(columns, corpus_columns(data));
    vtemper_data_form form;
    check(vtemper_data_form_of(data, &form));
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
    .usage = "DATA OUT [--text [--column NAME | --field NAME]] [--vocabulary FILE] [--format NAME]",
    .sentence = "writes data as a mapped corpus, which opens at once whatever its size",
    .notes =
        "With --text words are found by Unicode's boundaries, also in Chinese, Japanese and Thai, and written in\n"
        "lower case with their accents. Function words of the language are dropped, numbers and short words as\n"
        "well. Documents without kept words stay, empty. The columns are the kept words, most frequent first.\n"
        "gzip is unpacked. How the words were made is stored: models fitted to OUT read new text by infer --text\n"
        "in the same way.\n\n"
        "  vtemper convert --text letters letters.corpus --language fr --stem\n"
        "  vtemper convert --text reviews.csv.gz reviews.corpus --column title,body --id-column id --phrases",
    .least_operands = 2,
    .most_operands = 2,
    .output_operands = 1,
    .flags = flags,
    .shared_flags = shared_flags,
    .run = run,
};
