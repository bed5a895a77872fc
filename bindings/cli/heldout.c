#include "heldout.h"

#include <stdlib.h>

#include "corpus.h"
#include "failure.h"

/* The seed is that of evaluate's usual split. */
enum { SAMPLES = 50, USUAL_SEED = 0 };

HeldOut heldout_split(const vtemper_data* test) {
  HeldOut heldout = {NULL, NULL};
  vtemper_data_form form;
  check(vtemper_data_form_of(test, &form));
  if (form != VTEMPER_COUNTS) { /* rows are scored as a whole */
    const int64_t rows = corpus_rows(test);
    int64_t* all = allocate((size_t)rows, sizeof *all);
    for (int64_t i = 0; i < rows; ++i) all[i] = i;
    check(vtemper_data_select(test, all, rows, &heldout.observed));
    free(all);
    return heldout;
  }
  check(vtemper_data_split_counts(test, 0.5, USUAL_SEED, &heldout.observed, &heldout.predicted));
  return heldout;
}

void heldout_free(HeldOut* heldout) {
  vtemper_data_destroy(heldout->observed);
  vtemper_data_destroy(heldout->predicted);
}

/* Kinds that sample the posteriors of their rows are scored with fewer samples than evaluate takes: it is done often.
 */
int heldout_samples(const vtemper_model* model) {
  const char* samples;
  return vtemper_model_option(model, "samples", &samples) == VTEMPER_OK ? SAMPLES : 0;
}

static vtemper_options* few_samples(const vtemper_model* model) {
  if (heldout_samples(model) == 0) return NULL;
  vtemper_options* options;
  check(vtemper_options_create(&options));
  check(vtemper_options_set_integer(options, "samples", SAMPLES));
  return options;
}

vtemper_status heldout_score(const HeldOut* heldout, const vtemper_model* model, double* score) {
  vtemper_options* options = few_samples(model);
  const vtemper_status status =
      vtemper_model_evaluate(model, heldout->observed, heldout->predicted, "predictive", options, score);
  vtemper_options_destroy(options);
  return status;
}
