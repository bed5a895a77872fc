#pragma once
/* Options of raw text, shared by the commands that read it. */

#include "command.h"
#include "text_corpus.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Options of where the documents are; their table ends with a NULL name. They need --text. */
extern const Flag text_place_flags[];
/** Options of what words are made. They need --text. */
extern const Flag text_word_flags[];

/** What the options say about the text at `path`. Ends with EXIT_USAGE where one of them is wrong. */
TextRequest text_request(const Arguments* arguments, const char* path);

/** Ends with EXIT_USAGE where an option of text was given without --text, or --format or --vocabulary with it. */
void text_options_check(const Arguments* arguments);

#ifdef __cplusplus
}
#endif
