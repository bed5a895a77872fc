#pragma once
/* Corpora from raw text: a new one, or one in the words of a model. */

#include <stdbool.h>
#include <stdint.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where the text is and what is to become of it. NULL and 0 stand for what is usual. */
typedef struct TextRequest {
  const char* path; /**< a file, a folder, or "-" for the standard input */
  const char* column;
  const char* field;
  const char* id_column;
  const char* date_column;
  const char* encoding;
  bool lines;
  const char* language;   /**< a code, "none", or NULL to find it */
  const char* stop_words; /**< a file of further stop words, one a line */
  bool stems;
  bool phrases;
  double phrase_score;    /**< least normalised pointwise mutual information of a phrase */
  int64_t min_length;     /**< letters of the shortest word; 0: by its script */
  int64_t min_documents;  /**< words of fewer documents are dropped */
  double max_share;       /**< words of a larger share of the documents are dropped */
  int64_t max_vocabulary; /**< of the rest, so many of the most frequent are kept */
  bool keep_texts;        /**< the rows of the corpus get the text of their documents as field "text" */
  int64_t text_length;    /**< of which no more bytes than that; 0: all */
  bool quiet;
} TextRequest;

/** Reads the text and makes a corpus; columns are the kept words, most frequent first. Documents without kept words
 *  stay as empty rows. The corpus holds the recipe of its words as a note, and names and dates of the documents where
 *  there are some. What was read and dropped is told on stderr unless quiet. Ends the command where something cannot
 * be read or no word is left. */
vtemper_data* text_corpus_learn(const TextRequest* request);

/** The same by the recipe and with the words of a model.
 *  @param model_path      names the model in messages
 *  @param unknown_tokens  receives the number of words that the model does not know */
vtemper_data* text_corpus_apply(const TextRequest* request, const vtemper_model* model, const char* model_path,
                                double* unknown_tokens);

/** The same with further words after the model's: those that are new and that the request keeps. */
vtemper_data* text_corpus_extend(const TextRequest* request, const vtemper_model* model, const char* model_path);

/** Gives the model the recipe of the corpus that it was fitted to, where there is one. */
void text_recipe_keep(vtemper_model* model, const vtemper_data* data);

#ifdef __cplusplus
}
#endif
