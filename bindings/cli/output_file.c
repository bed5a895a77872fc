#define _GNU_SOURCE /* statx */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "document_folder.h"
#include "failure.h"

enum { MOST_LINKS = 40 };

char* output_folder(const char* path) {
  char* copy = text_of("%s", path);
  char* folder = text_of("%s", dirname(copy));
  free(copy);
  return folder;
}

/* The links are followed one by one, not by realpath: a path from the folder in which the command runs is good
 * however long the absolute path of that folder is. */
char* output_target(const char* path) {
  struct stat status;
  char* target = text_of("%s", path);
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) return target; /* links to open pipes lead to no path */
  for (int links = 0; links < MOST_LINKS; ++links) {
    char next[PATH_MAX];
    const ssize_t length = readlink(target, next, sizeof next - 1);
    if (length < 0) return target;
    next[length] = '\0';
    char* folder = output_folder(target);
    free(target);
    target = next[0] == '/' ? text_of("%s", next) : text_of("%s/%s", folder, next);
    free(folder);
  }
  fail("%s cannot be written: %s", path, strerror(ELOOP));
}

/* Identifies a file independently of its path: device and inode, or those of its folder and the name there. */
typedef struct NamedFile {
  dev_t device;
  ino_t inode;
  char* name; /**< NULL if the file exists */
  const char* path;
} NamedFile;

typedef struct NamedFiles {
  NamedFile* files;
  int64_t count;
} NamedFiles;

static NamedFiles inputs, outputs;
static NamedFiles read_once; /* inputs that are gone when they have been read */
static NamedFiles folders;   /* of documents; their paths alone */

static void add_file(NamedFiles* all, NamedFile file) {
  if ((all->count & (all->count - 1)) == 0) {
    all->files = reallocate(all->files, all->count ? 2 * (size_t)all->count : 1, sizeof *all->files);
  }
  all->files[all->count++] = file;
}

/* Returns false if neither file nor folder exists. */
static bool name_file(const char* path, NamedFile* file) {
  struct stat status = {0};
  file->path = path;
  file->name = NULL;
  char* target = output_target(path);
  bool found = stat(target, &status) == 0;
  if (!found) {
    char* folder = output_folder(target);
    found = stat(folder, &status) == 0;
    free(folder);
    const char* slash = strrchr(target, '/');
    file->name = text_of("%s", slash ? slash + 1 : target);
  }
  free(target);
  file->device = status.st_dev;
  file->inode = status.st_ino;
  return found;
}

static bool same_file(const NamedFile* a, const NamedFile* b) {
  return a->device == b->device && a->inode == b->inode && !a->name == !b->name &&
         (!a->name || strcmp(a->name, b->name) == 0);
}

/* Exits if the file is an input already. */
static void read_only_once(NamedFile file) {
  for (int64_t i = 0; i < read_once.count; ++i) {
    if (!same_file(&read_once.files[i], &file)) continue;
    fail_usage("%s and %s are the same input, which can be read only once", read_once.files[i].path, file.path);
  }
  add_file(&read_once, file);
}

void output_input(const char* path) {
  struct stat status;
  if (!path) return;
  const bool is_standard = strcmp(path, "-") == 0;
  if ((is_standard ? fstat(STDIN_FILENO, &status) : stat(path, &status)) != 0) return;
  NamedFile file = {status.st_dev, status.st_ino, NULL, path};
  /* "-" is read on from where it was left; every path of a regular file from its beginning, also /dev/stdin. */
  if (is_standard || S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) read_only_once(file);
  if (is_standard) file.path = "standard input";
  if (S_ISREG(status.st_mode)) add_file(&inputs, file);
}

void output_input_folder(const char* path) {
  struct stat status;
  if (path && stat(path, &status) == 0 && S_ISDIR(status.st_mode)) add_file(&folders, (NamedFile){.path = path});
}

/* The folder of documents to which the file belongs; NULL if there is none. */
static const char* folder_of_document(const struct stat* file) {
  for (int64_t i = 0; i < folders.count; ++i) {
    if (is_document_below(folders.files[i].path, file)) return folders.files[i].path;
  }
  return NULL;
}

/* In folders such as /tmp only the owner of a file, of the folder, or root may replace it. */
static bool may_replace(const char* folder, const char* target) {
  struct stat of_folder, of_target;
  if (stat(folder, &of_folder) != 0 || stat(target, &of_target) != 0 || !(of_folder.st_mode & S_ISVTX)) return true;
  const uid_t user = geteuid();
  return user == 0 || user == of_folder.st_uid || user == of_target.st_uid;
}

/* Whether a file can only be appended to, or only new files can be created in a folder (chattr +a). */
static bool only_grows(const char* path) {
#ifdef STATX_ATTR_APPEND
  struct statx status;
  return statx(AT_FDCWD, path, 0, 0, &status) == 0 && (status.stx_attributes & STATX_ATTR_APPEND);
#else
  (void)path;
  return false;
#endif
}

/* Exits unless new files can be created beside the target. */
static void require_folder(const char* path, const char* target) {
  const char* slash = strrchr(target, '/');
  const size_t length = slash ? (size_t)(slash + 1 - target) : 0;
  if (length + LONGEST_TEMPORARY_NAME >= PATH_MAX) {
    fail("%s cannot be written: the path of a temporary file beside it would be too long", path);
  }
  char* folder = output_folder(target);
  if (access(folder, W_OK | X_OK) != 0) fail("%s cannot be written: %s: %s", path, folder, strerror(errno));
  char* absolute = realpath(folder, NULL);
  if (!absolute && errno == ENOENT) fail("%s cannot be written: its folder was removed", path);
  free(absolute);
  if (!may_replace(folder, target)) {
    fail("%s cannot be written: only its owner may replace it in %s", path, folder);
  }
  if (access(target, F_OK) == 0 && (only_grows(target) || only_grows(folder))) {
    fail("%s cannot be replaced: it or its folder has the attribute append only (chattr +a)", path);
  }
  free(folder);
}

/* Exits unless the target, which exists, may be replaced or, if it is no regular file, written. */
static void require_replaceable(const char* path, const char* target, mode_t mode, bool regular) {
  if (S_ISDIR(mode)) fail("%s is a folder, so no file can be written there", path);
  if (!S_ISREG(mode) && regular) fail("%s is not a regular file, so it cannot be replaced", path);
  if (access(target, W_OK) != 0) fail("%s cannot be written: %s", path, strerror(errno));
}

static void require_writable(const char* path, bool regular) {
  struct stat status;
  if (!*path) fail("a file cannot be written: its path is empty");
  char* target = output_target(path);
  const int failure = stat(target, &status) == 0 ? 0 : errno;
  const bool is_folder = failure == ENOENT && target[strlen(target) - 1] == '/';
  if (failure == 0) require_replaceable(path, target, status.st_mode, regular);
  if (!is_folder && (failure == ENOENT || (failure == 0 && S_ISREG(status.st_mode)))) require_folder(path, target);
  free(target);
  if (is_folder) fail("%s is the path of a folder, so no file can be written there", path);
  if (failure != 0 && failure != ENOENT) fail("%s cannot be written: %s", path, strerror(failure));
}

void output_check(const char* path, bool regular) {
  require_writable(path, regular);
  NamedFile file;
  struct stat status;
  const bool exists = stat(path, &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) return; /* pipes and devices may receive several outputs */
  const char* folder = exists ? folder_of_document(&status) : NULL;
  if (folder) fail("%s is an input file (in %s), so it is not overwritten", path, folder);
  if (!name_file(path, &file)) {
    free(file.name);
    return;
  }
  for (int64_t i = 0; i < inputs.count; ++i) {
    if (same_file(&inputs.files[i], &file))
      fail("%s is an input file (%s), so it is not overwritten", path, inputs.files[i].path);
  }
  bool known = false; /* the same output, checked twice */
  for (int64_t i = 0; i < outputs.count; ++i) {
    const NamedFile* output = &outputs.files[i];
    known = known || output->path == path;
    if (output->path != path && same_file(output, &file)) {
      fail("%s and %s are the same file, which can hold only one result", output->path, path);
    }
  }
  if (known) {
    free(file.name);
  } else {
    add_file(&outputs, file);
  }
}

void output_open(OutputFile* file, const char* path) {
  require_writable(path, false);
  char* target = output_target(path); /* the file behind a symbolic link is replaced, not the link */
  struct stat status;
  file->is_new = stat(target, &status) != 0;
  file->is_direct = !file->is_new && !S_ISREG(status.st_mode);
  if (file->is_direct) {
    file->stream = fopen(target, "w");
    file->temporary = (TemporaryFile){.descriptor = -1, .target = target};
  } else {
    const bool is_open = temporary_open(&file->temporary, target, file->is_new ? NULL : &status);
    file->stream = is_open ? fdopen(file->temporary.descriptor, "w") : NULL;
  }
  if (!file->stream) fail("%s cannot be written: %s", path, strerror(errno));
}

/* Makes the new name durable; exits if that fails. Folders that cannot be opened, and file systems that cannot flush
 * folders, do not count as failures. */
static void synchronize_folder(const char* path) {
  char* folder = output_folder(path);
  const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  free(folder);
  bool failed = descriptor < 0 && (errno == EIO || errno == EMFILE || errno == ENFILE || errno == ENOMEM);
  int reason = errno;
  if (descriptor >= 0) {
    int result = fsync(descriptor);
    while (result != 0 && errno == EINTR) result = fsync(descriptor);
    failed = result != 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT);
    reason = errno;
    close(descriptor);
  }
  if (!failed) return;
  fail("%s is written, but a loss of power may bring back what was there before: its folder cannot be flushed: %s",
       path, strerror(reason));
}

/* Network file systems report some failures only when a descriptor is closed. The file stays open. */
static bool is_written_back(int file) {
  const int copy = fcntl(file, F_DUPFD_CLOEXEC, 0);
  return copy >= 0 && close(copy) == 0;
}

void output_close(OutputFile* file) {
  const char* path = file->temporary.target;
  bool written = fflush(file->stream) == 0 && !ferror(file->stream);
  if (written && !file->is_direct) {
    written = temporary_complete(&file->temporary) && is_written_back(file->temporary.descriptor);
    if (written && !temporary_move(&file->temporary, file->is_new)) {
      fail("%s cannot be replaced: %s", path, strerror(errno));
    }
  }
  const int reason = errno;
  const bool closed = fclose(file->stream) == 0 || !file->is_direct;
  if (!written || !closed) fail("%s could not be written completely: %s", path, strerror(written ? errno : reason));
  if (!file->is_direct) synchronize_folder(path);
  temporary_free(&file->temporary);
}

void output_discard(OutputFile* file) {
  temporary_abandon(); /* before its lock ends with the stream */
  fclose(file->stream);
  temporary_free(&file->temporary);
}

void output_abandon(void) {
  temporary_abandon();
}
