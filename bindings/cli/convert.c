/* vtemper convert: any readable format to the mapped corpus. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "corpus.h"
#include "failure.h"
#include "library_file.h"
#include "numbers.h"
#include "oddities.h"
#include "output_file.h"
#include "outside_text.h"
#include "text_options.h"
#include "transpose.h"

static const Flag flags[] = {
    {"vocabulary", 0, "FILE", "names of the columns, one per line; also .gz"},
    {"format", 0, "NAME", "docword, ldac, svmlight, matrix_market, csv, npy, idx, sequences, ...; see vtemper(1)"},
    {"transpose", 0, NULL, "exchanges rows and columns: for tables of genes x cells or words x documents"},
    {"quiet", 'q', NULL, "no summary"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const Flag* const shared_flags[] = {text_place_flags, text_word_flags, text_vocabulary_flags, NULL};

/* Summary from the written file, because the rows were never in memory together.
 *  @param target  the file that out_path led to before it was replaced: /dev/stdout still leads to the old one */
static void report(const char* path, const char* out_path, const char* target) {
  vtemper_data* data;
  check(vtemper_data_read(target, "mapped", &data));
  report_oddities(path, data);
  char rows[NUMBER_LENGTH], columns[NUMBER_LENGTH], entries[NUMBER_LENGTH];
  format_count(rows, corpus_rows(data));
  format_count(columns, corpus_columns(data));
  vtemper_data_form form;
  check(vtemper_data_form_of(data, &form));
  if (form == VTEMPER_DENSE) {
    outside_printf(stderr, "%s: %s rows, %s columns\n", out_path, rows, columns);
  } else {
    const char* const units = form == VTEMPER_COUNTS ? "%s: %s documents, %s words, %s tokens\n"
                                                     : "%s: %s sequences, %s symbols in the alphabet, %s in all\n";
    outside_printf(stderr, units, out_path, rows, columns, format_count(entries, (int64_t)corpus_total(data)));
  }
  vtemper_data_destroy(data);
}

/* Whether a vocabulary is the order of words that are symbols, for which all rows are needed at once. */
static bool names_words(const Arguments* arguments) {
  const char* format = argument(arguments, "format");
  return format && strcmp(format, "word_sequences") == 0 && argument(arguments, "vocabulary");
}

static int run(const Arguments* arguments) {
  const char *path = arguments->operands[0], *out_path = arguments->operands[1];
  output_check(out_path, true);
  text_options_check(arguments);
  char* target = output_target(out_path);
  if (argument(arguments, "text")) {
    TextRequest request = text_request(arguments, path);
    char* folder = output_folder(out_path);
    request.scratch_folder = folder;
    vtemper_data* data = text_corpus_learn(&request);
    save_data_file(data, out_path);
    vtemper_data_destroy(data);
    free(folder);
  } else if (argument(arguments, "transpose") || names_words(arguments)) {
    vtemper_data* data = read_as_asked(arguments, path, argument(arguments, "vocabulary"));
    save_data_file(data, out_path);
    vtemper_data_destroy(data);
  } else {
    corpus_convert(path, argument(arguments, "format"), argument(arguments, "vocabulary"), out_path);
  }
  if (!argument(arguments, "quiet")) report(path, out_path, target);
  free(target);
  return EXIT_DONE;
}

const Command convert_command = {
    .name = "convert",
    .usage = "DATA OUT [--text [--column NAME | --field NAME]] [--vocabulary FILE] [--format NAME]",
    .description = "writes data as a mapped corpus, which opens at once, whatever its size",
    .notes =
        "With --text, words are found by Unicode's boundaries, also in Chinese, Japanese and Thai, and written in\n"
        "lower case with their accents. Function words of the language, numbers and short words are\n"
        "dropped. Documents without kept words stay, empty. The columns are the kept words, most frequent first.\n"
        "gzip is unpacked. How the words were made is stored: models fitted to OUT read new text by infer --text\n"
        "in the same way.\n\n"
        "Files may be larger than memory: rows are written as they are read. Only docword and matrix_market files\n"
        "with decreasing row numbers, matrix_market arrays, .npy files in Fortran order and what --transpose turns\n"
        "are held as a whole; with --text the distinct words, and the names and dates of documents. During the\n"
        "conversion the disk of OUT must have room for twice its size, with --text three times.\n\n"
        "  vtemper convert --text letters letters.corpus --language fr --stem\n"
        "  vtemper convert matrix.mtx.gz cells.corpus --transpose --vocabulary genes.txt.gz\n"
        "  vtemper convert --text reviews.csv.gz reviews.corpus --column title,body --id-column id --phrases",
    .min_operands = 2,
    .max_operands = 2,
    .output_operands = 1,
    .flags = flags,
    .shared_flags = shared_flags,
    .run = run,
};
