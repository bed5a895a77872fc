#pragma once
/* Held-out data that is scored along the way: half of each row's tokens are shown, the other half are predicted. */

#include <vtemper/vtemper.h>

/** The two halves of the held-out rows. */
typedef struct HeldOut {
  vtemper_data* observed;
  vtemper_data* predicted;
} HeldOut;

/** Splits the rows' tokens once, as evaluate does by default, so that fit, sweep and evaluate score the same tokens;
 *  `test` has the model's columns. */
HeldOut heldout_split(const vtemper_data* test);
void heldout_free(HeldOut* heldout);

/** Mean log probability per predicted token or row, nats, as evaluate gives it. Safe within a monitor. */
vtemper_status heldout_score(const HeldOut* heldout, const vtemper_model* model, double* score);
