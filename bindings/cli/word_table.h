#pragma once
/* Words and how often they occur: a hash table with open addressing. */

#include <stdint.h>

/** One word. */
typedef struct WordEntry {
  char* word;
  int64_t tokens;
  int64_t documents;     /**< documents that contain it */
  int64_t last_document; /**< the last of them; -1 before the first */
  int32_t column;        /**< its column in the vocabulary, or -1 */
} WordEntry;

typedef struct WordTable {
  WordEntry* entries; /**< in order of first occurrence; pointers are invalidated by word_add */
  int64_t count;
  int64_t* slots; /**< [capacity] entry index of a slot, or -1 */
  int64_t capacity;
} WordTable;

/** The entry of a word, or NULL. */
WordEntry* word_find(const WordTable* table, const char* word);

/** The entry of a word, created if it does not exist. */
WordEntry* word_add(WordTable* table, const char* word);

void word_table_free(WordTable* table);
