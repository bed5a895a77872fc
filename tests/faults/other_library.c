/* A library for LD_PRELOAD: libvtemper reports the version in VTEMPER_OTHER_VERSION, a number and a text separated by
 * a space. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int32_t vtemper_version_number(void);
const char* vtemper_version(void);

int32_t vtemper_version_number(void) {
  const char* said = getenv("VTEMPER_OTHER_VERSION");
  return said ? (int32_t)atol(said) : 0;
}

const char* vtemper_version(void) {
  const char* said = getenv("VTEMPER_OTHER_VERSION");
  const char* text = said ? strchr(said, ' ') : NULL;
  return text ? text + 1 : "0";
}
