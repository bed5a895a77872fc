#pragma once
/* Text within SVG and HTML. */

#include <stdio.h>

/** Writes text as element content or as a quoted attribute value: reserved characters become entities, and control
 * characters, which XML does not allow, U+FFFD. `text` is valid UTF-8. */
void markup_text(FILE* out, const char* text);
