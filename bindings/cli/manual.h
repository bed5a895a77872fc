#pragma once
/* Manual pages in mdoc. */

#include <stdio.h>

#include "command.h"

/** The page of a command: its help, and all library options that it takes. */
void manual_print(FILE* stream, const Command* command);
