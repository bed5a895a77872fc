#include "model_data.h"

#include <string.h>

#include "corpus.h"
#include "failure.h"
#include "orientation.h"
#include "ranks.h"
#include "text_options.h"
#include "transpose.h"

static bool is_model(const char* path) {
  vtemper_model* model;
  if (vtemper_model_load(path, &model) != VTEMPER_OK) return false;
  vtemper_model_destroy(model);
  return true;
}

vtemper_model* model_operand(const Arguments* arguments) {
  const char *first = arguments->operands[0], *second = arguments->operands[1];
  vtemper_model* model;
  if (vtemper_model_load(first, &model) == VTEMPER_OK) return model;
  if (arguments->operand_count > 1 && is_model(second)) {
    const char* command = arguments->command->name;
    fail_usage("%s and %s are swapped, since the model is the second: write vtemper %s %s %s", first, second, command,
               second, first);
  }
  return model_read(first); /* exits with the library's message */
}

/* Words are numbered as they occur, so only their names say which symbol of the model they are. */
static void require_names_for_words(const Arguments* arguments, const char* path, const vtemper_model* model) {
  const char *format = argument(arguments, "format"), *name = "";
  if (!format || strcmp(format, "word_sequences") != 0) return;
  if (model_columns(model) > 0) check(vtemper_model_name(model, 0, &name));
  if (*name == '\0')
    fail("the symbols of the model are numbers and have no names, so the words of %s are unknown", path);
}

vtemper_data* model_data_read(const Arguments* arguments, const char* path, const vtemper_model* model,
                              const char* model_path, bool keep_texts) {
  corpus_needed_by(vtemper_model_kind(model), argument(arguments, "quiet") != NULL);
  double unknown_tokens;
  vtemper_data* data;
  if (argument(arguments, "text")) {
    TextRequest request = text_request(arguments, path);
    request.keep_texts = keep_texts;
    data = text_corpus_apply(&request, model, model_path, &unknown_tokens);
  } else {
    require_names_for_words(arguments, path, model);
    data = read_as_asked(arguments, path, NULL);
    require_orientation(arguments, data, path, model, false);
    data = corpus_for_model(data, model, &unknown_tokens);
  }
  if (!argument(arguments, "quiet")) report_unknown_tokens(path, unknown_tokens, data);
  return data;
}

vtemper_data* model_data_divide(const Arguments* arguments, const char* path, const vtemper_model* model) {
  corpus_needed_by(vtemper_model_kind(model), argument(arguments, "quiet") != NULL);
  double unknown_tokens;
  vtemper_data* spread = divide_as_asked(arguments, path, NULL);
  require_orientation(arguments, spread, path, model, false);
  vtemper_data* data = corpus_for_model(spread, model, &unknown_tokens);
  unknown_tokens = ranks_sum(unknown_tokens);
  if (!argument(arguments, "quiet")) report_unknown_tokens(path, unknown_tokens, data);
  return data;
}
