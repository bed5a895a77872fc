/* Failed statuses become R conditions, once the library has returned. */

#include "vtemper_r.h"

#include <string.h>

SEXP package_namespace(void) {
  return R_FindNamespace(Rf_ScalarString(Rf_mkChar("vtemper")));
}

void fail_as(vtemper_status status, const char* sentence) {
  SEXP name = PROTECT(Rf_mkString(vtemper_status_name(status)));
  SEXP text = PROTECT(Rf_ScalarString(Rf_mkCharCE(sentence, CE_UTF8)));
  SEXP call = PROTECT(Rf_lang3(Rf_install("signal_failure"), name, text));
  Rf_eval(call, package_namespace());
  UNPROTECT(3);
  Rf_error("%s", sentence); /* not reached: signal_failure does not return */
}

void check(vtemper_status status) {
  if (status == VTEMPER_OK) return;
  /* The text is copied at once: the garbage collector may run finalizers, and a later failure would replace it. */
  char sentence[2048];
  strncpy(sentence, vtemper_last_error(), sizeof sentence - 1);
  sentence[sizeof sentence - 1] = '\0';
  fail_as(status, sentence);
}
