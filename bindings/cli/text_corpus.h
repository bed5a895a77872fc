#pragma once
/* Corpora from raw text: new ones, or with the words of a model. */

#include <stdbool.h>
#include <stdint.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The text and how to process it. NULL and 0 select defaults. */
typedef struct TextRequest {
  const char* path; /**< a file, a folder, or "-" for standard input */
  const char* column;
  const char* field;
  const char* id_column;
  const char* date_column;
  const char* encoding;
  bool lines;
  const char* language;   /**< a language code, "none", or NULL to detect it */
  const char* stop_words; /**< a file of additional stop words, one per line */
  bool stems;
  bool phrases;
  double phrase_score;        /**< minimum normalised pointwise mutual information of a phrase */
  int64_t min_length;         /**< minimum letters of a word; 0: depends on the script */
  int64_t min_documents;      /**< words in fewer documents are dropped */
  double max_share;           /**< words in a larger share of the documents are dropped; below 0: the usual one */
  int64_t max_vocabulary;     /**< maximum number of the remaining words, most frequent first */
  bool keep_texts;            /**< store the text of each document as field "text" of its row */
  int64_t text_length;        /**< at most this many bytes of it; 0: all */
  const char* scratch_folder; /**< folder of temporary files for words and counts; NULL: in memory */
  bool quiet;
} TextRequest;

/** Reads the text and creates a corpus; columns are the kept words, most frequent first. Documents without kept words
 * become empty rows. The corpus stores the recipe of its words as a note, and names and dates of the documents if
 * available. Reports what was read and dropped on stderr unless quiet. Exits if something cannot be read or no word
 * is left. */
vtemper_data* text_corpus_learn(const TextRequest* request);

/** As above, with the recipe and the words of a model.
 *  @param model_path      names the model in messages
 *  @param unknown_tokens  receives the number of words unknown to the model */
vtemper_data* text_corpus_apply(const TextRequest* request, const vtemper_model* model, const char* model_path,
                                double* unknown_tokens);

/** As above, with new words that satisfy the request appended to the model's. */
vtemper_data* text_corpus_extend(const TextRequest* request, const vtemper_model* model, const char* model_path);

/** Copies the notes on how the columns of the corpus were made to the model fitted to it. */
void text_recipe_keep(vtemper_model* model, const vtemper_data* data);

#ifdef __cplusplus
}
#endif
