#pragma once
/* Text from outside (words, notes, names of files, sentences that quote them) on its way to a terminal. */

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Puts question marks for what could steer a terminal or turn the line around: C0, DEL, C1 and bidirectional
 *  controls. Sentences keep their ends of lines with `lines` = 1. Returns the text. */
char* outside_text(char* text, int lines);

/** Writes a copy so treated, in one line. */
void print_outside_text(FILE* stream, const char* text);

#ifdef __cplusplus
}
#endif
