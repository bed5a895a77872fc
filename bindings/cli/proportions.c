#include "proportions.h"

#include <stdlib.h>

#include "corpus.h"
#include "failure.h"

enum { ROWS_AT_ONCE = 10000 };

/* Adds the tokens of the rows. The tokens of a row are the sum of gamma minus the sum of its prior. */
static void add_rows(const double* gamma, const double* alpha, int64_t rows, int64_t topics, double* tokens) {
  for (int64_t i = 0; i < rows; ++i) {
    double total = 0, prior = 0;
    for (int64_t k = 0; k < topics; ++k) {
      total += gamma[i * topics + k];
      prior += alpha[k];
    }
    for (int64_t k = 0; k < topics; ++k) tokens[k] += gamma[i * topics + k] / total * (total - prior);
  }
}

void topic_tokens_of(const vtemper_model* model, const vtemper_data* data, int64_t topics, double* tokens) {
  const int64_t rows = corpus_rows(data);
  const int64_t room = rows < ROWS_AT_ONCE ? rows : ROWS_AT_ONCE;
  double* gamma = allocate((size_t)room * (size_t)topics, sizeof *gamma);
  double* alpha = allocate((size_t)topics, sizeof *alpha);
  check(vtemper_model_get(model, "alpha", alpha, topics));
  for (int64_t k = 0; k < topics; ++k) tokens[k] = 0;
  for (int64_t first = 0; first < rows; first += room) {
    const int64_t count = rows - first < room ? rows - first : room;
    vtemper_data* part = corpus_slice(data, first, count);
    check(vtemper_model_infer(model, part, "gamma", NULL, gamma, count * topics));
    vtemper_data_destroy(part);
    add_rows(gamma, alpha, count, topics, tokens);
  }
  free(alpha);
  free(gamma);
}
