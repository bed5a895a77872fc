#include "fit_setup.h"

#include "continued_model.h"
#include "corpus.h"
#include "failure.h"
#include "library_options.h"
#include "run.h"
#include "text_options.h"
#include "transpose.h"

void data_needed_by_checkpoint(const Arguments* arguments) {
  const char* kind;
  check(vtemper_checkpoint_kind(argument(arguments, "resume"), &kind));
  corpus_needed_by(kind, argument(arguments, "quiet") != NULL);
}

vtemper_data* data_to_fit(const Arguments* arguments) {
  const char* path = arguments->operands[0];
  if (argument(arguments, "text")) {
    const TextRequest request = text_request(arguments, path);
    return text_corpus_learn(&request);
  }
  return divide_as_asked(arguments, path, argument(arguments, "vocabulary"));
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
  if (!argument(arguments, "quiet")) announce_memory(bytes, model, data);
  vtemper_optimizer* optimizer;
  check(vtemper_optimizer_create(model, data, options, &optimizer));
  vtemper_options_destroy(options);
  return optimizer;
}
