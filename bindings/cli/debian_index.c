#include "debian_index.h"

#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failure.h"
#include "output_file.h"
#include "word_table.h"

/* Reads index files of any compression. */
static const char helper[] = "/usr/lib/apt/apt-helper";

/* Starts `apt-helper cat-file FILES`; returns a stream of its output. */
static FILE* start_helper(const glob_t* files, pid_t* child) {
  int ends[2];
  if (pipe(ends) != 0) fail("a pipe to %s cannot be created: %s", helper, strerror(errno));
  char** words = allocate(files->gl_pathc + 3, sizeof *words);
  words[0] = text_of("%s", helper);
  words[1] = text_of("cat-file");
  memcpy(words + 2, files->gl_pathv, files->gl_pathc * sizeof *words);
  words[files->gl_pathc + 2] = NULL;
  *child = fork();
  if (*child < 0) fail("%s cannot be started: %s", helper, strerror(errno));
  if (*child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(helper, words);
    _exit(127);
  }
  close(ends[1]);
  free(words[0]);
  free(words[1]);
  free(words);
  FILE* stream = fdopen(ends[0], "r");
  if (!stream) fail("the output of %s cannot be read: %s", helper, strerror(errno));
  return stream;
}

/* The text after `key` if the line begins with it, otherwise NULL. */
static const char* field(const char* line, const char* key) {
  const size_t length = strlen(key);
  return strncmp(line, key, length) == 0 ? line + length : NULL;
}

/* Copies the descriptions of a Translation-en stream. A description has its synopsis on the line of the field; the
 * lines of its body begin with a blank, and " ." represents an empty line. */
static int64_t copy_descriptions(FILE* in, FILE* out) {
  WordTable seen = {NULL, 0, NULL, 0};
  char* line = NULL;
  size_t capacity = 0;
  ssize_t length;
  bool repeated = false, within = false;
  int64_t count = 0;
  while ((length = getline(&line, &capacity, in)) >= 0) {
    if (length > 0 && line[length - 1] == '\n') line[length - 1] = '\0';
    const bool goes_on = within && line[0] == ' ';
    if (goes_on && strcmp(line, " .") != 0) fputs(line, out);
    if (goes_on) continue;
    if (within) fputc('\n', out);
    within = false;
    const char* checksum = field(line, "Description-md5: ");
    const char* synopsis = field(line, "Description-en: ");
    if (checksum) {
      WordEntry* entry = word_add(&seen, checksum);
      repeated = ++entry->documents > 1;
    } else if (synopsis && !repeated) {
      fputs(synopsis, out);
      within = true;
      ++count;
    }
  }
  if (within) fputc('\n', out);
  free(line);
  word_table_free(&seen);
  return count;
}

int64_t debian_descriptions(const char* lists, const char* path) {
  if (access(helper, X_OK) != 0) return 0;
  char* pattern = text_of("%s/*_Translation-en*", lists);
  glob_t files;
  const int found = glob(pattern, 0, NULL, &files);
  free(pattern);
  if (found == GLOB_NOMATCH) return 0;
  if (found != 0) fail("%s cannot be searched", lists);
  pid_t child;
  FILE* in = start_helper(&files, &child);
  globfree(&files);
  OutputFile output;
  output_open(&output, path);
  const int64_t count = copy_descriptions(in, output.stream);
  fclose(in);
  int status;
  if (waitpid(child, &status, 0) != child || status != 0) fail("%s could not read the index in %s", helper, lists);
  if (count == 0) {
    output_discard(&output);
  } else {
    output_close(&output);
  }
  return count;
}
