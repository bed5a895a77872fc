#pragma once
/* A corpus from running text, one document a line, in two passes over the file. */

#include <stdint.h>

#include <vtemper/vtemper.h>

/** Which words are kept. */
typedef struct TextRules {
  int64_t min_documents;   /**< words of fewer documents are dropped */
  double max_share;        /**< words of a larger share of the documents are dropped */
  int64_t vocabulary_size; /**< of the rest, so many of the most frequent are kept */
} TextRules;

/** Reads the file and makes the corpus; columns are the kept words, most frequent first. Documents without kept words
 *  stay as empty rows. Ends the command where the file cannot be read or no word is left. */
vtemper_data* corpus_from_text(const char* path, const TextRules* rules);
