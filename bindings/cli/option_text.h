#pragma once
/* Human-readable descriptions of library options. */

#include <stddef.h>

#include <vtemper/vtemper.h>

#include "numbers.h"

/** The valid values: words, or a range with open ends omitted. */
void format_range(char* text, size_t room, const vtemper_option* option);

/** The default, with numbers in short form. */
void format_default(char text[NUMBER_LENGTH], const vtemper_option* option);
