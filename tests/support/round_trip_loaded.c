/* For tests of the command and of the packages, which are not linked for a test: a library that is loaded before
 * libvtemper (LD_PRELOAD), or opened in its place, so that its function comes first. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

#include "support/round_trip.h"

void vtemper_optimizer_destroy(vtemper_optimizer* optimizer) {
  void (*destroy)(vtemper_optimizer*) = NULL;
  *(void**)&destroy = dlsym(RTLD_NEXT, "vtemper_optimizer_destroy");
  if (destroy == NULL) abort();
  check_fit_round_trip(optimizer);
  destroy(optimizer);
}
