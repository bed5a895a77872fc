// The question that long calls put to their caller.

#include <vtemper/vtemper.h>

#include "support/interruption.h"

void vtemper_set_interrupt(vtemper_interrupt interrupt, void* user) {
  vtemper::set_interruption(interrupt, user);
}
