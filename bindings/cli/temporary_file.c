#define _GNU_SOURCE /* O_TMPFILE */
#include "temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"

enum { MOST_NAMES = 1000 };

/* The name to remove on an early exit; read by the signal handler. */
static const char* volatile unfinished = NULL;

/* The number-th temporary name for the target. It does not contain the target's own name, which may already have the
 * maximum length. The caller frees it. */
static char* name_of(const char* target, int number) {
  const char* slash = strrchr(target, '/');
  const int folder = slash ? (int)(slash + 1 - target) : 0;
  uint64_t hash = 14695981039346656037u; /* FNV-1a */
  for (const char* c = target + folder; *c; ++c) hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  return text_of("%.*s.vtemper-part-%llu-%d.tmp", folder, target, (unsigned long long)hash, number);
}

static void remove_strays(const char* target) {
  for (int number = 0; number < MOST_NAMES; ++number) {
    char* name = name_of(target, number);
    const int file = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status, named;
    /* Only the process that holds the lock may remove the name, so it still names this file when we remove it. */
    const bool is_stray = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &status) == 0 &&
                          S_ISREG(status.st_mode) && lstat(name, &named) == 0 && status.st_dev == named.st_dev &&
                          status.st_ino == named.st_ino;
    if (is_stray) unlink(name);
    if (file >= 0) close(file);
    free(name);
    if (file < 0 && number > 0) return; /* of two files at a time, the first may already have been moved */
  }
}

/* A new file of this name, locked. */
static int open_named(const char* name, mode_t mode) {
  const int file = open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode);
  if (file < 0) return file;
  struct stat status;
  const bool is_locked = flock(file, LOCK_EX | LOCK_NB) == 0;
  const bool is_taken = is_locked ? fstat(file, &status) == 0 && status.st_nlink == 0 : errno == EWOULDBLOCK;
  if (!is_taken) return file;
  close(file); /* another process took it for a stray before it was locked */
  errno = EEXIST;
  return -1;
}

/* Gives a name to a file that has none. */
static bool link_to(int file, const char* name) {
  char open_file[40];
  snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", file);
  return linkat(AT_FDCWD, open_file, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Gives the first free name to the open file or, if none is open, to a new one of that mode. */
static bool take_name(TemporaryFile* file, mode_t mode) {
  const bool is_open = file->descriptor >= 0;
  bool done = false;
  for (int number = 0; number < MOST_NAMES && !done; ++number) {
    char* name = name_of(file->target, number);
    sigset_t all, before; /* a signal between creating the file and storing its name would leave it behind */
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    if (is_open) {
      done = link_to(file->descriptor, name);
    } else {
      file->descriptor = open_named(name, mode);
      done = file->descriptor >= 0;
    }
    if (done) unfinished = file->name = name;
    const int reason = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (!done) free(name);
    errno = reason;
    if (!done && reason != EEXIST && reason != EINTR) return false;
  }
  return done;
}

/* The mode of new files in the folder (umask, access lists), found with an empty one; -1, with errno set, on failure.
 */
static int mode_of_new_files(TemporaryFile* file) {
  if (!take_name(file, 0666)) return -1;
  struct stat status;
  const bool is_known = fstat(file->descriptor, &status) == 0;
  const int reason = errno;
  temporary_abandon();
  close(file->descriptor);
  free(file->name);
  file->descriptor = -1;
  file->name = NULL;
  errno = reason;
  return is_known ? (int)(status.st_mode & 0777) : -1;
}

bool temporary_open(TemporaryFile* file, char* target, const struct stat* replaced) {
  *file = (TemporaryFile){.descriptor = -1, .target = target, .mode_of_new = -1};
  if (replaced) file->replaced = *replaced;
  remove_strays(target);
  const char* slash = strrchr(target, '/');
  char* folder = slash ? text_of("%.*s", (int)(slash + 1 - target), target) : text_of("./");
#ifdef O_TMPFILE
  file->descriptor = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, replaced ? 0600 : 0666);
#endif
  free(folder);
  if (file->descriptor >= 0) {
    if (access("/proc/self/fd", X_OK) == 0) return true; /* link_to needs it */
    close(file->descriptor);
    file->descriptor = -1;
  }
  if (!replaced) file->mode_of_new = mode_of_new_files(file);
  return (replaced || file->mode_of_new >= 0) && take_name(file, 0600);
}

static bool set_owner_and_mode(int file, const struct stat* replaced) {
  struct stat own;
  if (fstat(file, &own) != 0) return false;
  const bool has_group = own.st_gid == replaced->st_gid || fchown(file, (uid_t)-1, replaced->st_gid) == 0;
  const mode_t mode = replaced->st_mode & 0777;
  /* The members of another group may do what everybody may. */
  if (fchmod(file, has_group ? mode : (mode & 0707) | (mode & 07) << 3) != 0) return false;
  /* Last, because only the owner may set the mode; who may not give files away keeps it. */
  const bool given = own.st_uid == replaced->st_uid || fchown(file, replaced->st_uid, (gid_t)-1) == 0;
  (void)given;
  return true;
}

bool temporary_complete(const TemporaryFile* file) {
  const int descriptor = file->descriptor;
  if (file->replaced.st_nlink > 0 && !set_owner_and_mode(descriptor, &file->replaced)) return false;
  if (file->mode_of_new >= 0 && fchmod(descriptor, (mode_t)file->mode_of_new) != 0) return false;
  return fsync(descriptor) == 0;
}

int temporary_nameless(const char* folder) {
#ifdef O_TMPFILE
  const int nameless = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (nameless >= 0) return nameless;
#endif
  char* target = text_of("%s/", folder);
  remove_strays(target);
  int file = -1, reason = EEXIST;
  for (int number = 0; number < MOST_NAMES && file < 0 && (reason == EEXIST || reason == EINTR); ++number) {
    char* name = name_of(target, number);
    sigset_t all, before; /* a signal between the two calls would leave the file behind */
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    file = open_named(name, 0600);
    reason = errno;
    if (file >= 0 && unlink(name) != 0) {
      reason = errno;
      close(file);
      file = -1;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(name);
  }
  free(target);
  errno = reason;
  return file;
}

bool temporary_move(TemporaryFile* file, bool is_new) {
  if (!file->name) {
    if (is_new && link_to(file->descriptor, file->target)) return true;
    flock(file->descriptor, LOCK_EX | LOCK_NB); /* cannot fail: nobody else has it */
    if (!take_name(file, 0)) return false;
  }
  if (rename(file->name, file->target) != 0) return false;
  unfinished = NULL;
  return true;
}

void temporary_abandon(void) {
  if (!unfinished) return;
  unlink(unfinished);
  unfinished = NULL;
}

void temporary_free(TemporaryFile* file) {
  free(file->name);
  free(file->target);
}
