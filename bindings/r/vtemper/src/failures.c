/* Failed statuses become R conditions, once the library has returned. */

#include "vtemper_r.h"

#include <string.h>

SEXP package_namespace(void) {
  return R_FindNamespace(Rf_ScalarString(Rf_mkChar("vtemper")));
}

void fail_as(vtemper_status status, const char* message) {
  SEXP name = PROTECT(Rf_mkString(vtemper_status_name(status)));
  SEXP text = PROTECT(Rf_ScalarString(Rf_mkCharCE(message, CE_UTF8)));
  SEXP call = PROTECT(Rf_lang3(Rf_install("signal_failure"), name, text));
  Rf_eval(call, package_namespace());
  UNPROTECT(3);
  Rf_error("%s", message); /* not reached: signal_failure does not return */
}

void check(vtemper_status status) {
  if (status == VTEMPER_OK) return;
  /* The text is copied at once: the garbage collector may run finalizers, and a later failure would replace it. */
  char message[2048];
  strncpy(message, vtemper_last_error(), sizeof message - 1);
  message[sizeof message - 1] = '\0';
  fail_as(status, message);
}
