#include "heldout.h"

#include "failure.h"

HeldOut heldout_split(const vtemper_data* test, uint64_t seed) {
  HeldOut heldout;
  check(vtemper_data_split_counts(test, 0.5, seed, &heldout.observed, &heldout.predicted));
  return heldout;
}

void heldout_free(HeldOut* heldout) {
  vtemper_data_destroy(heldout->observed);
  vtemper_data_destroy(heldout->predicted);
}

vtemper_status heldout_score(const HeldOut* heldout, const vtemper_model* model, double* score) {
  return vtemper_model_evaluate(model, heldout->observed, heldout->predicted, "predictive", NULL, score);
}
