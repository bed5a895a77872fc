#include "fit_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "continued_model.h"
#include "corpus.h"
#include "failure.h"
#include "library_options.h"
#include "ranks.h"
#include "run.h"
#include "text_options.h"

/* The kind of the checkpoint's model, which its header names; the caller frees it. NULL if there is none: the library
 * says why when it loads the file. */
static char* kind_of_checkpoint(const char* path) {
  static const char mark[] = "\"kind\":\"";
  const size_t longest_header = (size_t)1 << 28;
  unsigned char bytes[8]; /* the length of the header, little-endian */
  FILE* stream = fopen(path, "rb");
  if (!stream) return NULL;
  size_t length = 0;
  if (fread(bytes, 1, sizeof bytes, stream) == sizeof bytes) {
    for (size_t i = sizeof bytes; i-- > 0;) length = length << 8 | bytes[i];
  }
  char* kind = NULL;
  if (length > 0 && length <= longest_header) {
    char* header = allocate(length + 1, 1);
    header[fread(header, 1, length, stream)] = '\0';
    const char* start = strstr(header, mark);
    if (start) start += strlen(mark);
    if (start) kind = text_of("%.*s", (int)strcspn(start, "\""), start);
    free(header);
  }
  fclose(stream);
  return kind;
}

void data_needed_by_checkpoint(const Arguments* arguments) {
  char* kind = kind_of_checkpoint(argument(arguments, "resume"));
  vtemper_data_form form;
  if (kind && vtemper_model_kind_form(kind, &form) == VTEMPER_OK)
    corpus_needed_by(kind, argument(arguments, "quiet") != NULL);
  free(kind);
}

vtemper_data* data_to_fit(const Arguments* arguments) {
  const char* path = arguments->operands[0];
  if (argument(arguments, "text")) {
    const TextRequest request = text_request(arguments, path);
    return text_corpus_learn(&request);
  }
  return ranks_read(path, argument(arguments, "format"), argument(arguments, "vocabulary"));
}

vtemper_model* model_to_fit(const Arguments* arguments) {
  const char* kind = argument(arguments, "model");
  if (!kind) kind = DEFAULT_KIND;
  vtemper_options* options = options_of_subject(arguments, kind);
  vtemper_model* model;
  check(vtemper_model_create(kind, options, &model));
  vtemper_options_destroy(options);
  corpus_needed_by(vtemper_model_kind(model), argument(arguments, "quiet") != NULL);
  return model;
}

vtemper_optimizer* optimizer_to_fit(const Arguments* arguments, vtemper_model* model, const vtemper_data* data) {
  vtemper_options* options = options_of_subject(arguments, "optimizer");
  if (argument(arguments, "continue")) continue_options(options, arguments, model, data);
  double bytes;
  check(vtemper_model_fit_memory(model, data, options, &bytes));
  if (!argument(arguments, "quiet")) announce_memory(bytes, model);
  vtemper_optimizer* optimizer;
  check(vtemper_optimizer_create(model, data, options, &optimizer));
  vtemper_options_destroy(options);
  return optimizer;
}
