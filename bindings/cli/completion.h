#pragma once
/* Shell completion scripts. */

#include <stdbool.h>
#include <stdio.h>

/** Prints the script for "bash", "zsh" or "fish"; returns false for other shells. */
bool completion_print(FILE* stream, const char* shell);
