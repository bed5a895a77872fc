#include "model_data.h"

#include "corpus.h"
#include "orientation.h"
#include "ranks.h"
#include "text_options.h"
#include "transpose.h"

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
