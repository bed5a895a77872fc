#pragma once
/* Names of columns from a file, one per line. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Vocabulary {
  char** names;
  int64_t count;
} Vocabulary;

/** Reads a file, a pipe or standard input ("-"), also gzip; blank lines at its end do not count. Exits on failure,
 * and if a name is missing, has a tab or comes twice. */
Vocabulary vocabulary_read(const char* path);
void vocabulary_free(Vocabulary* vocabulary);

#ifdef __cplusplus
}
#endif
