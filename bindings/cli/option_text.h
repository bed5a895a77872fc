#pragma once
/* Options of the library as people read them. */

#include <stddef.h>

#include <vtemper/vtemper.h>

#include "numbers.h"

/** The valid values: words, or a range with open ends left out. */
void format_range(char* text, size_t room, const vtemper_option* option);

/** The default, numbers with the digits that people read. */
void format_default(char text[NUMBER_LENGTH], const vtemper_option* option);
