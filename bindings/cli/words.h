#pragma once
/* Words of running text: lower case, at least three letters a to z; everything else stands between words. Letters
 * beyond ASCII are not letters here. */

#include <stdbool.h>
#include <stdio.h>

enum { LONGEST_WORD = 64 };

/** What comes next in a text of one document a line. */
typedef enum WordEvent { TEXT_WORD, TEXT_DOCUMENT_END, TEXT_END } WordEvent;

/** A text being read; any length of line in the same memory. */
typedef struct WordReader {
  FILE* stream;
  bool within_document; /**< something was read since the last end of a line */
} WordReader;

/** The next word (TEXT_WORD), or the end of a document. Words longer than LONGEST_WORD are passed over. */
WordEvent word_next(WordReader* reader, char word[LONGEST_WORD + 1]);

/** Whether it is one of the commonest English function words. */
bool is_stop_word(const char* word);
