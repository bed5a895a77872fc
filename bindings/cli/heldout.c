#include "heldout.h"

#include <stddef.h>

#include "failure.h"

/* The default seed of evaluate's split. */
enum { USUAL_SEED = 0 };

HeldOut heldout_split(vtemper_data* test) {
  vtemper_data_form form;
  check(vtemper_data_form_of(test, &form));
  if (form != VTEMPER_COUNTS) return (HeldOut){test, NULL}; /* rows are scored as a whole */
  HeldOut heldout;
  check(vtemper_data_split_counts(test, 0.5, USUAL_SEED, &heldout.observed, &heldout.predicted));
  vtemper_data_destroy(test);
  return heldout;
}

void heldout_free(HeldOut* heldout) {
  vtemper_data_destroy(heldout->observed);
  vtemper_data_destroy(heldout->predicted);
}

vtemper_status heldout_check(const HeldOut* heldout, const vtemper_model* model) {
  int32_t quantities;
  return vtemper_model_infer_count(model, heldout->observed, &quantities);
}

vtemper_status heldout_score(const HeldOut* heldout, const vtemper_model* model, double* score) {
  return vtemper_model_evaluate(model, heldout->observed, heldout->predicted, "predictive", NULL, score);
}
