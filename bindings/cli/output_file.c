#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"

/* The temporary file to take away when the command ends early; read by the signal handler. */
static const char* volatile unfinished = NULL;

/* The folder that holds `path`; the caller frees it. */
static char* folder_of(const char* path) {
  char* copy = text_of("%s", path);
  char* folder = text_of("%s", dirname(copy));
  free(copy);
  return folder;
}

void output_check(const char* path, bool regular) {
  struct stat status;
  if (stat(path, &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail("%s is a folder, so no file can be written there", path);
    if (!S_ISREG(status.st_mode)) {
      if (regular) fail("%s is not a regular file, so it cannot be replaced", path);
      return;
    }
  }
  char* folder = folder_of(path);
  if (access(folder, W_OK | X_OK) != 0) fail("%s cannot be written: %s: %s", path, folder, strerror(errno));
  free(folder);
}

void output_open(OutputFile* file, const char* path) {
  output_check(path, false);
  char* target = realpath(path, NULL); /* the file behind a symbolic link is replaced, not the link */
  file->path = text_of("%s", target ? target : path);
  free(target);
  struct stat status;
  if (stat(file->path, &status) == 0 && !S_ISREG(status.st_mode)) {
    file->temporary = NULL;
    file->stream = fopen(file->path, "w");
  } else {
    file->temporary = text_of("%s.part-%ld", file->path, (long)getpid());
    const int descriptor = open(file->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor >= 0) unfinished = file->temporary;
    file->stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  }
  if (!file->stream) fail("%s cannot be written: %s", path, strerror(errno));
}

/* Makes the new name durable. */
static void synchronize_folder(const char* path) {
  char* folder = folder_of(path);
  const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  free(folder);
  if (descriptor < 0) return;
  fsync(descriptor); /* some file systems refuse it for folders; the file itself is safe */
  close(descriptor);
}

void output_close(OutputFile* file) {
  bool written = fflush(file->stream) == 0 && !ferror(file->stream);
  if (written && file->temporary) written = fsync(fileno(file->stream)) == 0;
  const int reason = errno;
  const bool closed = fclose(file->stream) == 0;
  if (!written || !closed) fail("%s could not be written whole: %s", file->path, strerror(written ? errno : reason));
  if (file->temporary) {
    if (rename(file->temporary, file->path) != 0) fail("%s cannot be replaced: %s", file->path, strerror(errno));
    unfinished = NULL;
    synchronize_folder(file->path);
  }
  free(file->temporary);
  free(file->path);
}

void output_discard(OutputFile* file) {
  fclose(file->stream);
  output_abandon();
  free(file->temporary);
  free(file->path);
}

void output_abandon(void) {
  if (!unfinished) return;
  unlink(unfinished);
  unfinished = NULL;
}
