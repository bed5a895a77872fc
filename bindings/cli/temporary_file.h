#pragma once
/* A file in the folder of its place, which it goes to when it is whole. It has no name until then where the file
 * system has such files, so that nothing is left of it however the process ends. With a name it is locked (flock) as
 * long as the process lives; the names follow from the place, so that the next file that goes there finds those
 * without a lock, of processes that were killed, and removes them. */

#include <stdbool.h>
#include <sys/types.h>

typedef struct TemporaryFile {
  int descriptor; /**< whoever opens a stream on it closes it */
  char* name;     /**< NULL: none */
  char* target;
} TemporaryFile;

/** For the file `target`, which it owns from now on. False, with errno set, where no file can be made. */
bool temporary_open(TemporaryFile* file, char* target, mode_t mode);

/** What was written, which is on the disk already, goes to its place; `is_new`: where there was nothing. False, with
 *  errno set, on failure. */
bool temporary_move(TemporaryFile* file, bool is_new);

/** Removes the name of the file that is under way, if it has one. Async-signal-safe. */
void temporary_abandon(void);

void temporary_free(TemporaryFile* file);
