/* For tests of the shared library: linked with --wrap=vtemper_optimizer_destroy. */
#include <stddef.h>

#include "support/round_trip.h"

void __real_vtemper_optimizer_destroy(vtemper_optimizer* optimizer);
void __wrap_vtemper_optimizer_destroy(vtemper_optimizer* optimizer);

void __wrap_vtemper_optimizer_destroy(vtemper_optimizer* optimizer) {
  vtemper_report report = {.struct_size = sizeof report};
  vtemper_model* model = NULL;
  /* Ranks save together, so a single one cannot. */
  if (optimizer != NULL && vtemper_optimizer_report(optimizer, &report) == VTEMPER_OK && report.iteration > 0 &&
      report.ranks == 1 && vtemper_optimizer_model(optimizer, &model) == VTEMPER_OK) {
    check_round_trip(model);
    vtemper_model_destroy(model);
  }
  __real_vtemper_optimizer_destroy(optimizer);
}
