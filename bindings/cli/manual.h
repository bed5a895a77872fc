#pragma once
/* Manual pages, in the language mdoc. */

#include <stdio.h>

#include "command.h"

/** The page of a command: its help, and every option of the library that it takes. */
void manual_print(FILE* stream, const Command* command);
