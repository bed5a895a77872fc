#include "words.h"

#include <stdlib.h>
#include <string.h>

enum { SHORTEST_WORD = 3 };

/* Function words of English of at least three letters, in the order of the alphabet. */
static const char* const stop_words[] = {
    "about",   "above",      "across",   "after",      "again",     "against", "all",     "almost",    "alone",
    "along",   "already",    "also",     "although",   "always",    "among",   "and",     "another",   "any",
    "are",     "around",     "because",  "been",       "before",    "behind",  "being",   "below",     "beneath",
    "beside",  "between",    "beyond",   "both",       "but",       "can",     "cannot",  "could",     "did",
    "does",    "doing",      "done",     "down",       "during",    "each",    "either",  "else",      "even",
    "ever",    "every",      "few",      "for",        "from",      "further", "had",     "has",       "have",
    "having",  "hence",      "her",      "here",       "hers",      "herself", "him",     "himself",   "his",
    "how",     "however",    "indeed",   "into",       "its",       "itself",  "just",    "least",     "less",
    "many",    "may",        "might",    "mine",       "more",      "most",    "much",    "must",      "myself",
    "neither", "never",      "nor",      "not",        "nothing",   "now",     "off",     "often",     "once",
    "one",     "only",       "onto",     "other",      "others",    "our",     "ours",    "ourselves", "out",
    "over",    "own",        "per",      "perhaps",    "rather",    "same",    "several", "shall",     "she",
    "should",  "since",      "some",     "such",       "than",      "that",    "the",     "their",     "theirs",
    "them",    "themselves", "then",     "there",      "therefore", "these",   "they",    "this",      "those",
    "though",  "through",    "thus",     "together",   "too",       "toward",  "towards", "two",       "under",
    "until",   "upon",       "very",     "via",        "was",       "well",    "were",    "what",      "whatever",
    "when",    "where",      "whereas",  "whether",    "which",     "while",   "who",     "whole",     "whom",
    "whose",   "why",        "will",     "with",       "within",    "without", "would",   "yet",       "you",
    "your",    "yours",      "yourself", "yourselves",
};

WordEvent word_next(WordReader* reader, char word[LONGEST_WORD + 1]) {
  size_t length = 0;
  for (;;) {
    const int byte = getc_unlocked(reader->stream);
    const int letter = byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte;
    if (letter >= 'a' && letter <= 'z') {
      reader->within_document = true;
      if (length < LONGEST_WORD) word[length] = (char)letter;
      ++length;
      continue;
    }
    if (length >= SHORTEST_WORD && length <= LONGEST_WORD) {
      word[length] = '\0';
      if (byte != EOF) ungetc(byte, reader->stream);
      return TEXT_WORD;
    }
    length = 0;
    if (byte == '\n') {
      reader->within_document = false;
      return TEXT_DOCUMENT_END;
    }
    if (byte == EOF) {
      const bool unfinished = reader->within_document;
      reader->within_document = false;
      return unfinished ? TEXT_DOCUMENT_END : TEXT_END;
    }
    reader->within_document = true;
  }
}

static int compare_words(const void* a, const void* b) {
  return strcmp(a, *(const char* const*)b);
}

bool is_stop_word(const char* word) {
  const size_t count = sizeof stop_words / sizeof stop_words[0];
  return bsearch(word, stop_words, count, sizeof stop_words[0], compare_words) != NULL;
}
