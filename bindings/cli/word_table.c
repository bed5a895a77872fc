#include "word_table.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"

/* FNV-1a, 64 bits. */
static uint64_t hash(const char* word) {
  uint64_t value = 14695981039346656037u;
  for (; *word; ++word) value = (value ^ (unsigned char)*word) * 1099511628211u;
  return value;
}

/* The slot that holds the word, or the free slot for it. */
static int64_t find_slot(const WordTable* table, const char* word) {
  int64_t slot = (int64_t)(hash(word) & (uint64_t)(table->capacity - 1));
  while (table->slots[slot] >= 0 && strcmp(table->entries[table->slots[slot]].word, word) != 0) {
    slot = (slot + 1) & (table->capacity - 1);
  }
  return slot;
}

/* Doubles the table; entries keep their indices, slots are recomputed. */
static void grow(WordTable* table) {
  table->capacity = table->capacity ? 2 * table->capacity : 1024;
  table->slots = reallocate(table->slots, (size_t)table->capacity, sizeof *table->slots);
  table->entries = reallocate(table->entries, (size_t)table->capacity / 2, sizeof *table->entries);
  for (int64_t slot = 0; slot < table->capacity; ++slot) table->slots[slot] = -1;
  for (int64_t i = 0; i < table->count; ++i) table->slots[find_slot(table, table->entries[i].word)] = i;
}

WordEntry* word_find(const WordTable* table, const char* word) {
  if (table->count == 0) return NULL;
  const int64_t entry = table->slots[find_slot(table, word)];
  return entry < 0 ? NULL : &table->entries[entry];
}

WordEntry* word_add(WordTable* table, const char* word) {
  WordEntry* found = word_find(table, word);
  if (found) return found;
  if (table->count == table->capacity / 2) grow(table);
  table->slots[find_slot(table, word)] = table->count;
  WordEntry* entry = &table->entries[table->count++];
  *entry = (WordEntry){.word = text_of("%s", word), .last_document = -1, .column = -1};
  return entry;
}

void word_table_free(WordTable* table) {
  for (int64_t i = 0; i < table->count; ++i) free(table->entries[i].word);
  free(table->entries);
  free(table->slots);
}
