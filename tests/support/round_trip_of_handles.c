/* For tests of the shared library: linked with --wrap=vtemper_optimizer_destroy. */
#include "support/round_trip.h"

void __real_vtemper_optimizer_destroy(vtemper_optimizer* optimizer);
void __wrap_vtemper_optimizer_destroy(vtemper_optimizer* optimizer);

void __wrap_vtemper_optimizer_destroy(vtemper_optimizer* optimizer) {
  check_fit_round_trip(optimizer);
  __real_vtemper_optimizer_destroy(optimizer);
}
