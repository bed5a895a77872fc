#pragma once
/* Files that are written whole or not at all: a temporary file beside the target, fsync, rename. */

#include <stdbool.h>
#include <stdio.h>

/** A file being written; one at a time. */
typedef struct OutputFile {
  FILE* stream;
  char* path;
  char* temporary; /**< NULL where the target is no regular file (a pipe, a device): written directly */
} OutputFile;

/** Ends the command early, before the work, where `path` could not be written: its folder is missing or closed, or it
 *  is a folder itself. With `regular`, also where it exists and is no regular file. */
void output_check(const char* path, bool regular);

/** Opens `path` for writing; ends the command where that fails. */
void output_open(OutputFile* file, const char* path);

/** Makes the file durable and visible; ends the command where that fails. */
void output_close(OutputFile* file);

/** Closes the file and takes it away. */
void output_discard(OutputFile* file);

/** Takes the unfinished file away, if there is one. Safe in a signal handler. */
void output_abandon(void);
