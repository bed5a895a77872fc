#include "text_corpus.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "word_table.h"
#include "words.h"

static FILE* open_text(const char* path) {
  FILE* stream = fopen(path, "r");
  if (!stream) fail("%s cannot be read: %s", path, strerror(errno));
  return stream;
}

static void close_text(FILE* stream, const char* path) {
  const int failed = ferror(stream);
  const int reason = errno;
  fclose(stream);
  if (failed) fail("%s cannot be read: %s", path, strerror(reason));
}

/* First pass: counts every word; returns the number of documents. */
static int64_t count_words(const char* path, WordTable* table) {
  WordReader reader = {.stream = open_text(path)};
  char word[LONGEST_WORD + 1];
  int64_t document = 0;
  for (WordEvent event; (event = word_next(&reader, word)) != TEXT_END;) {
    if (event == TEXT_DOCUMENT_END) {
      ++document;
      continue;
    }
    if (is_stop_word(word)) continue;
    WordEntry* entry = word_add(table, word);
    ++entry->tokens;
    entry->documents += entry->last_document != document;
    entry->last_document = document;
  }
  close_text(reader.stream, path);
  return document;
}

static int more_frequent_first(const void* a, const void* b) {
  const WordEntry *left = *(WordEntry*const*)a, *right = *(WordEntry*const*)b;
  if (left->tokens != right->tokens) return left->tokens < right->tokens ? 1 : -1;
  return strcmp(left->word, right->word);
}

/* Gives the kept words their columns; the caller frees the list. */
static const char** choose_words(WordTable* table, int64_t documents, const TextRules* rules, int64_t* count) {
  WordEntry** kept = allocate((size_t)table->count, sizeof *kept);
  int64_t kept_count = 0;
  for (int64_t i = 0; i < table->count; ++i) {
    WordEntry* entry = &table->entries[i];
    const int common = (double)entry->documents > rules->max_share * (double)documents;
    if (entry->documents >= rules->min_documents && !common) kept[kept_count++] = entry;
  }
  qsort(kept, (size_t)kept_count, sizeof *kept, more_frequent_first);
  if (kept_count > rules->vocabulary_size) kept_count = rules->vocabulary_size;
  const char** words = allocate((size_t)kept_count, sizeof *words);
  for (int64_t j = 0; j < kept_count; ++j) {
    kept[j]->column = (int32_t)j;
    words[j] = kept[j]->word;
  }
  free(kept);
  *count = kept_count;
  return words;
}

/* Counts compressed by rows, growing. */
typedef struct GrowingCounts {
  int64_t* offsets;
  int32_t* columns;
  int32_t* values;
  int64_t rows, entries, row_room, entry_room;
} GrowingCounts;

static void end_row(GrowingCounts* counts) {
  if (counts->rows + 1 >= counts->row_room) {
    counts->row_room = 2 * counts->row_room + 1024;
    counts->offsets = reallocate(counts->offsets, (size_t)counts->row_room, sizeof *counts->offsets);
    counts->offsets[0] = 0;
  }
  counts->offsets[++counts->rows] = counts->entries;
}

static void add_entry(GrowingCounts* counts, int32_t column) {
  if (counts->entries == counts->entry_room) {
    counts->entry_room = 2 * counts->entry_room + 4096;
    counts->columns = reallocate(counts->columns, (size_t)counts->entry_room, sizeof *counts->columns);
    counts->values = reallocate(counts->values, (size_t)counts->entry_room, sizeof *counts->values);
  }
  counts->columns[counts->entries] = column;
  counts->values[counts->entries++] = 1;
}

/* Second pass: the counts of the kept words. `place` [words] remembers the entry of a word in the running row. */
static GrowingCounts count_documents(const char* path, const WordTable* table, int64_t words) {
  GrowingCounts counts = {NULL, NULL, NULL, 0, 0, 0, 0};
  int64_t* place = allocate((size_t)words, sizeof *place);
  for (int64_t j = 0; j < words; ++j) place[j] = -1;
  WordReader reader = {.stream = open_text(path)};
  char word[LONGEST_WORD + 1];
  int64_t row_start = 0;
  for (WordEvent event; (event = word_next(&reader, word)) != TEXT_END;) {
    if (event == TEXT_DOCUMENT_END) {
      end_row(&counts);
      row_start = counts.entries;
      continue;
    }
    const WordEntry* entry = word_find(table, word);
    if (!entry || entry->column < 0) continue;
    int64_t* own_place = &place[entry->column];
    if (*own_place >= row_start) {
      ++counts.values[*own_place];
    } else {
      *own_place = counts.entries;
      add_entry(&counts, entry->column);
    }
  }
  close_text(reader.stream, path);
  free(place);
  return counts;
}

vtemper_data* corpus_from_text(const char* path, const TextRules* rules) {
  WordTable table = {NULL, 0, NULL, 0};
  const int64_t documents = count_words(path, &table);
  int64_t word_count;
  const char** words = choose_words(&table, documents, rules, &word_count);
  if (word_count == 0) {
    fail("no word of %s is in at least %" PRId64 " and in at most %g of its %" PRId64 " documents", path,
         rules->min_documents, rules->max_share, documents);
  }
  GrowingCounts counts = count_documents(path, &table, word_count);
  if (counts.rows != documents) fail("%s changed while it was read", path);
  vtemper_data* data;
  check(vtemper_data_from_counts(VTEMPER_BY_ROWS, documents, word_count, counts.offsets, VTEMPER_INT64,
                                 counts.columns, VTEMPER_INT32, counts.values, VTEMPER_INT32, 0, VTEMPER_COPY, NULL,
                                 NULL, &data));
  check(vtemper_data_set_names(data, words, word_count));
  free(counts.offsets);
  free(counts.columns);
  free(counts.values);
  free(words);
  word_table_free(&table);
  return data;
}
