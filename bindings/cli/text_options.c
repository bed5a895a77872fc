#include "text_options.h"

#include <stddef.h>
#include <stdint.h>

#include "corpus.h"
#include "failure.h"

static const double default_phrase_score = 0.5;

const Flag text_place_flags[] = {
    {"text", 0, NULL, "DATA is raw text: one document per line, or a folder with one per file; - is a pipe"},
    {"column", 0, "NAME", "with --text: DATA is CSV or TSV, and its text is in this column (or A,B,...)"},
    {"field", 0, "NAME", "with --text: DATA is JSON Lines, and its text is in this field"},
    {"id-column", 0, "NAME", "with --text: the column or field with the names of the documents"},
    {"date-column", 0, "NAME", "with --text: the column or field with their dates"},
    {"lines", 0, NULL, "with --text: one document per line, even where it looks like a table or JSON"},
    {"encoding", 0, "NAME", "with --text: utf-8 by default; also windows-1252, koi8-r, gb18030, ..."},
    {NULL, 0, NULL, NULL},
};

const Flag text_word_flags[] = {
    {"language", 0, "CODE", "with --text: en, de, fr, ru, zh, ja, th, ..., or none; detected by default"},
    {"stop-words", 0, "FILE", "with --text: more words to drop, one per line"},
    {"stem", 0, NULL, "with --text: words are replaced by their Snowball stems"},
    {"phrases", 0, NULL, "with --text: words that occur together more often than by chance are joined"},
    {"phrase-score", 0, "SCORE", "with --phrases: their minimum normalised mutual information; default 0.5"},
    {"min-length", 0, "N", "with --text: shorter words are dropped; the default depends on the script, 3 for Latin"},
    {NULL, 0, NULL, NULL},
};

const Flag text_vocabulary_flags[] = {
    {"min-documents", 0, "N", "with --text: words in fewer documents are dropped; default 5"},
    {"max-share", 0, "SHARE",
     "with --text: words in a larger share of the documents are dropped; default 0.2 (of few: more)"},
    {"vocabulary-size", 0, "N", "with --text: number of most frequent words that are kept; default 10000"},
    {NULL, 0, NULL, NULL},
};

TextRequest text_request(const Arguments* arguments, const char* path) {
  require_counts_from_text();
  const TextRequest request = {
      .path = path,
      .column = argument(arguments, "column"),
      .field = argument(arguments, "field"),
      .id_column = argument(arguments, "id-column"),
      .date_column = argument(arguments, "date-column"),
      .encoding = argument(arguments, "encoding"),
      .lines = argument(arguments, "lines") != NULL,
      .language = argument(arguments, "language"),
      .stop_words = argument(arguments, "stop-words"),
      .stems = argument(arguments, "stem") != NULL,
      .phrases = argument(arguments, "phrases") != NULL,
      .phrase_score = argument_real(arguments, "phrase-score", 0, 1, default_phrase_score),
      .min_length = argument_integer(arguments, "min-length", 1, 64, 0),
      .min_documents = argument_integer(arguments, "min-documents", 1, INT64_MAX, 5),
      .max_share = argument_real(arguments, "max-share", 0, 1, -1),
      .max_vocabulary = argument_integer(arguments, "vocabulary-size", 1, INT32_MAX, 10000),
      .quiet = argument(arguments, "quiet") != NULL,
  };
  if (argument(arguments, "phrase-score") && !request.phrases) fail_usage("--phrase-score needs --phrases");
  return request;
}

void text_options_check(const Arguments* arguments) {
  static const char* const count_options[] = {"format", "vocabulary", "heldout", "transpose"};
  if (argument(arguments, "text")) {
    for (size_t i = 0; i < sizeof count_options / sizeof count_options[0]; ++i) {
      if (argument(arguments, count_options[i])) fail_usage("--%s cannot be combined with --text", count_options[i]);
    }
    return;
  }
  const Flag* const tables[] = {text_place_flags, text_word_flags, text_vocabulary_flags};
  for (int i = 0; i < 3; ++i) {
    const char* given = argument_of_table(arguments, tables[i]);
    if (given) fail_usage("--%s needs --text", given);
  }
}

const char* reading_option(const Arguments* arguments) {
  static const char* const options[] = {"text", "format", "transpose", "heldout"};
  for (size_t i = 0; i < sizeof options / sizeof options[0]; ++i) {
    if (argument(arguments, options[i])) return options[i];
  }
  return NULL;
}
