#pragma once
/* Completion of the command's words in shells. */

#include <stdbool.h>
#include <stdio.h>

/** Prints the script for "bash", "zsh" or "fish"; false for another shell. */
bool completion_print(FILE* stream, const char* shell);
