#pragma once
/* Options for raw text, shared by the commands that read it. */

#include "command.h"
#include "text_corpus.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Options that locate the documents; terminated by a NULL name. They require --text. */
extern const Flag text_place_flags[];
/** Options for making words, which a model keeps as its recipe. They require --text. */
extern const Flag text_word_flags[];
/** Options that choose the words to keep. They require --text. */
extern const Flag text_vocabulary_flags[];

/** The request for the text at `path`. Exits with EXIT_USAGE if an option is invalid. */
TextRequest text_request(const Arguments* arguments, const char* path);

/** Exits with EXIT_USAGE if a text option was given without --text, or --format or --vocabulary with it. */
void text_options_check(const Arguments* arguments);

/** The first given option that says what data are read and how (--text, --format, --transpose, --heldout); NULL if
 * there is none. For commands that may have no data, after text_options_check. */
const char* reading_option(const Arguments* arguments);

#ifdef __cplusplus
}
#endif
