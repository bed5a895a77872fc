#pragma once
/* Text within SVG and HTML. */

#include <stdio.h>

/** Writes text as the content of an element or of a quoted attribute: characters that the markup reserves become
 * entities, control characters, which XML does not allow, U+FFFD. `text` is valid UTF-8. */
void markup_text(FILE* out, const char* text);
