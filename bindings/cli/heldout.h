#pragma once
/* Held-out data scored during a fit: half of each row's tokens are observed, the other half predicted. */

#include <vtemper/vtemper.h>

/** The two halves of the held-out rows. */
typedef struct HeldOut {
  vtemper_data* observed;
  vtemper_data* predicted;
} HeldOut;

/** Splits the rows' tokens once, with evaluate's defaults, so that fit, sweep and evaluate score the same tokens.
 *  Takes ownership of `test`, which has the model's columns, and may be spread over ranks. */
HeldOut heldout_split(vtemper_data* test);
void heldout_free(HeldOut* heldout);

/** Whether the model accepts the rows, as far as that is known before they are scored. */
vtemper_status heldout_check(const HeldOut* heldout, const vtemper_model* model);

/** Mean log probability per predicted token or row, in nats, as computed by evaluate. Safe to call within a monitor;
 *  collective if the rows are spread over ranks. */
vtemper_status heldout_score(const HeldOut* heldout, const vtemper_model* model, double* score);
