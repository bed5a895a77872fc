// Cooperative cancellation: the callback polled by long calls.

#include <vtemper/vtemper.h>

#include "support/interruption.h"

void vtemper_set_interrupt(vtemper_interrupt interrupt, void* user) {
  vtemper::set_interruption(interrupt, user);
}
