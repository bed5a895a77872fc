#include "document_shares.h"

#include <string.h>

#include "corpus.h"
#include "failure.h"

double* document_shares(const vtemper_model* model, const vtemper_data* data, int64_t* topics) {
  vtemper_quantity quantity = {.struct_size = sizeof quantity};
  int32_t count;
  check_words(vtemper_model_infer_count(model, data, &count));
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_model_infer_info(model, data, i, &quantity));
    if (strcmp(quantity.name, "proportions") != 0) continue;
    *topics = quantity.shape[1];
    double* shares = allocate((size_t)corpus_rows(data), (size_t)*topics * sizeof *shares);
    check(vtemper_model_infer(model, data, quantity.name, NULL, shares, corpus_rows(data) * *topics));
    return shares;
  }
  fail("a model of kind %s infers no shares of topics", vtemper_model_kind(model));
}
