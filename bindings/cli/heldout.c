#include "heldout.h"

#include <stdlib.h>

#include "corpus.h"
#include "failure.h"

/* The default seed of evaluate's split. */
enum { USUAL_SEED = 0 };

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

vtemper_status heldout_score(const HeldOut* heldout, const vtemper_model* model, double* score) {
  return vtemper_model_evaluate(model, heldout->observed, heldout->predicted, "predictive", NULL, score);
}
