/* Interrupts within long calls. The library polls about every 0.05 seconds whether to continue; R answers inside a
 * top-level execution, which no jump leaves. */

#include "vtemper_r.h"

#include "entries.h"

/* Why a long call ends; the values between these are the results of ask_for_interrupts. */
enum { goes_on = 0, jumped = 3 };

static int depth = 0;
static int reason = goes_on;

static void ask(void* answer) {
  SEXP call = PROTECT(Rf_lang1(Rf_install("ask_for_interrupts")));
  SEXP value = Rf_eval(call, package_namespace());
  *(int*)answer = Rf_asInteger(value);
  UNPROTECT(1);
}

static int end_is_wanted(void* user) {
  (void)user;
  int answer = goes_on;
  if (!R_ToplevelExec(ask, &answer)) answer = jumped;
  if (answer != goes_on) reason = answer;
  return answer != goes_on;
}

void long_call_begins(void) {
  reason = goes_on;
  if (depth++ == 0) vtemper_set_interrupt(end_is_wanted, NULL);
}

void long_call_ends(void) {
  if (--depth == 0) vtemper_set_interrupt(NULL, NULL);
}

void check_long(vtemper_status status) {
  const int why = reason;
  reason = goes_on;
  if (status == VTEMPER_CANCELLED && why != goes_on) {
    SEXP call = PROTECT(Rf_lang2(Rf_install("signal_end"), PROTECT(Rf_ScalarInteger(why))));
    Rf_eval(call, package_namespace());
    UNPROTECT(2);
  }
  check(status);
}

/* Jumps if the user has interrupted, or a time limit is exceeded. */
SEXP vt_check_interrupt(void) {
  R_CheckUserInterrupt();
  return R_NilValue;
}
