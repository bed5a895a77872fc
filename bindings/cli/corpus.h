#pragma once
/* Reading data, and bringing its columns into a model's order. */

#include <stdint.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Names read from a file, one a line. */
typedef struct Vocabulary {
  char** names;
  int64_t count;
} Vocabulary;

/** Reads a vocabulary; a carriage return before the end of a line is dropped. Ends the command where that fails. */
Vocabulary vocabulary_read(const char* path);
void vocabulary_free(Vocabulary* vocabulary);

/** Reads data of any format.
 *  @param format      a format name of vtemper_data_read, or NULL to recognise it
 *  @param vocabulary  file that names the columns, or NULL. It may name more columns than occur in the data: formats
 *                     without a header end at the last word that occurs */
vtemper_data* corpus_read(const char* path, const char* format, const char* vocabulary);

/** Writes what corpus_read would read as a mapped file, row by row; ends the command where that fails. */
void corpus_convert(const char* path, const char* format, const char* vocabulary, const char* out_path);

/** The data with the model's columns; takes over `data`. Words are matched by name where both sides have names (words
 * the model does not know are dropped and counted); otherwise columns keep their places and those that the data ends
 *  before are added empty.
 *  @param unknown_tokens  receives the dropped tokens */
vtemper_data* corpus_for_model(vtemper_data* data, const vtemper_model* model, double* unknown_tokens);

/** One line on stderr about dropped tokens, where there are any. */
void report_unknown_tokens(const char* path, double unknown_tokens, const vtemper_data* aligned);

/** Loads a model; ends the command where that fails. */
vtemper_model* model_read(const char* path);

/** Sizes, by the library. */
int64_t corpus_rows(const vtemper_data* data);
int64_t corpus_columns(const vtemper_data* data);
/** Rows of the corpus that the data are a part of, or their own. */
int64_t corpus_all_rows(const vtemper_data* data);
double corpus_total(const vtemper_data* data);
int64_t model_columns(const vtemper_model* model);

#ifdef __cplusplus
}
#endif
