#pragma once
/* Files that are written whole or not at all. */

#include <stdbool.h>
#include <stdio.h>

#include "temporary_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A file being written; only one at a time. */
typedef struct OutputFile {
  FILE* stream;
  TemporaryFile temporary;
  bool is_direct; /**< the target is not a regular file (a pipe, a device) */
  bool is_new;    /**< there is no target yet */
} OutputFile;

/** Registers an input file (NULL: none; "-": standard input); output_check refuses to overwrite it. Exits if it can
 * be read only once, such as a pipe, and is an input already. Keeps `path`. */
void output_input(const char* path);

/** The same for all files below a folder of documents, which are looked at only if an output exists. */
void output_input_folder(const char* path);

/** Registers an output file and exits early, before the work, if it cannot be written: its folder is missing or not
 *  writable, its path is too long, it is a folder itself or not writable, or it is the same file as an input or
 *  another output, under whatever name. With `regular`, also if it exists and is not a regular file. Keeps `path`. */
void output_check(const char* path, bool regular);

/** The target of symbolic links, even if it does not exist yet; the caller frees it. */
char* output_target(const char* path);

/** The folder that holds `path`; the caller frees it. */
char* output_folder(const char* path);

/** Opens `path` for writing; exits on failure. */
void output_open(OutputFile* file, const char* path);

/** Makes the file durable and visible; exits on failure. */
void output_close(OutputFile* file);

/** Closes and removes the file. */
void output_discard(OutputFile* file);

/** Removes the unfinished file, if there is one. Async-signal-safe. */
void output_abandon(void);

#ifdef __cplusplus
}
#endif
