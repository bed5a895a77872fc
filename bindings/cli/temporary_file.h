#pragma once
/* A file in the folder of its target, to which it is moved when it is complete. If the file system supports unnamed
 * files, it has no name until then, so that nothing is left of it however the process ends. A file with a temporary
 * name is locked (flock) while the process lives. These names are derived from the target, so that the next file for
 * the same target finds the unlocked ones, left by processes that were killed, and removes them. */

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of the longest temporary name, of the command's files or the library's. */
enum { LONGEST_TEMPORARY_NAME = 42 };

typedef struct TemporaryFile {
  int descriptor; /**< closed by whoever opens a stream on it */
  char* name;     /**< NULL: none */
  char* target;
  struct stat replaced; /**< the existing target; st_nlink 0: there is none */
  int mode_of_new; /**< for a new target with a temporary name, which has mode 0600 until it is complete; or -1 */
} TemporaryFile;

/** Creates the file for `target`, and takes ownership of that string. `replaced`: the existing target; NULL: there is
 * none. Returns false, with errno set, if no file can be created. */
bool temporary_open(TemporaryFile* file, char* target, const struct stat* replaced);

/** The complete file gets the owner, group and mode of the one that it replaces, as far as this process may set them,
 * and is written to the disk. Returns false, with errno set, on failure. */
bool temporary_complete(const TemporaryFile* file);

/** A file in the folder that never gets a name, for writing and reading, or -1, with errno set. */
int temporary_nameless(const char* folder);

/** Moves the file, whose contents are already on the disk, to its target; `is_new`: the target does not exist yet.
 *  Returns false, with errno set, on failure. */
bool temporary_move(TemporaryFile* file, bool is_new);

/** Removes the name of the unfinished file, if there is one. Async-signal-safe. */
void temporary_abandon(void);

void temporary_free(TemporaryFile* file);

#ifdef __cplusplus
}
#endif
