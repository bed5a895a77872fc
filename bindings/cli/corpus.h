#pragma once
/* Reads data and aligns its columns with a model. */

#include <stdbool.h>
#include <stdint.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Exits if the path is empty, as that of a variable that is not set: the system's reason would name nothing. */
void require_path(const char* path);

/** What is read from now on is for a model of this kind: messages about files that cannot be read say what it needs,
 * and for models of counts dense rows of whole numbers are read as counts, which a note says unless `quiet`. */
void corpus_needed_by(const char* kind, bool quiet);

/** Exits if the model needs other data than the counts that --text makes. */
void require_counts_from_text(void);

/** Reads data of any format.
 *  @param format      a format name of vtemper_data_read, or NULL to recognise it
 *  @param vocabulary  file that names the columns, or NULL. It may name more columns than occur in the data: formats
 *                     without a header end at the last word that occurs */
vtemper_data* corpus_read(const char* path, const char* format, const char* vocabulary);

/** The data with the columns of the vocabulary (a file), if that is not NULL; takes ownership of `data`. Sequences of
 * words, which name their symbols, are brought into its order. */
vtemper_data* corpus_with_vocabulary(vtemper_data* data, const char* path, const char* vocabulary);

/** The rows of one part of a file with one row per line; NULL if the format cannot be read in parts. */
vtemper_data* corpus_read_part(const char* path, const char* format, const char* vocabulary, int part, int parts);

/** Writes the data that corpus_read would read as a mapped file, row by row; exits on failure. */
void corpus_convert(const char* path, const char* format, const char* vocabulary, const char* out_path);

/** The rows first ... first + count - 1, not copied; they keep their numbers, and so what is drawn for them. */
vtemper_data* corpus_slice(const vtemper_data* data, int64_t first, int64_t count);

/** The note of data and models that says from which number the columns of their svmlight files count. */
#define COLUMNS_NOTE "columns_from"

/** Exits if the columns are numbered from another number than those that the model was fitted to. */
void require_same_numbering(const vtemper_data* data, const vtemper_model* model);

/** The data with the model's columns; takes ownership of `data`. Words are matched by name if both sides have names
 * (words unknown to the model are dropped and counted); otherwise columns keep their positions, and missing trailing
 * ones are added empty. @param unknown_tokens  receives the number of dropped tokens */
vtemper_data* corpus_for_model(vtemper_data* data, const vtemper_model* model, double* unknown_tokens);

/** One line on stderr about dropped tokens, if there are any. */
void report_unknown_tokens(const char* path, double unknown_tokens, const vtemper_data* aligned);

/** Loads a model; exits on failure. */
vtemper_model* model_read(const char* path);

/** Sizes, as reported by the library. */
int64_t corpus_rows(const vtemper_data* data);
int64_t corpus_columns(const vtemper_data* data);
/** Whether the columns have names. */
bool data_has_names(const vtemper_data* data);
/** Rows of the whole corpus if the data are a part of one, otherwise of the data. */
int64_t corpus_all_rows(const vtemper_data* data);
double corpus_total(const vtemper_data* data);
int64_t model_columns(const vtemper_model* model);

#ifdef __cplusplus
}
#endif
