#pragma once
/* Files that are written whole or not at all: a temporary file beside the target, fsync, rename. */

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A file being written; one at a time. */
typedef struct OutputFile {
  FILE* stream;
  char* path;
  char* temporary; /**< NULL where the target is no regular file (a pipe, a device): written directly */
} OutputFile;

/** Names a file that the command reads (NULL: none): output_check refuses to overwrite it. */
void output_input(const char* path);

/** Names a file that the command will write, and ends the command early, before the work, where that cannot be: its
 *  folder is missing or closed, it is a folder itself or may not be written, it is a file that the command reads or
 *  another one that it writes, by whatever name. With `regular`, also where it exists and is no regular file. */
void output_check(const char* path, bool regular);

/** Opens `path` for writing; ends the command where that fails. */
void output_open(OutputFile* file, const char* path);

/** Makes the file durable and visible; ends the command where that fails. */
void output_close(OutputFile* file);

/** Closes the file and takes it away. */
void output_discard(OutputFile* file);

/** Takes the unfinished file away, if there is one. Safe in a signal handler. */
void output_abandon(void);

#ifdef __cplusplus
}
#endif
