/* Optimizers: runs with monitors of R, reports, traces, checkpoints. */

#include "vtemper_r.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "entries.h"

static SEXP held_by(SEXP model, SEXP data) {
  SEXP held = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(held, 0, model);
  SET_VECTOR_ELT(held, 1, data);
  UNPROTECT(1);
  return held;
}

/* data may be NULL: rows are fed. */
SEXP vt_optimizer_create(SEXP model, SEXP data, SEXP options) {
  vtemper_model* fitted = model_of(model);
  const vtemper_data* rows = data == R_NilValue ? NULL : data_of(data);
  SEXP set = PROTECT(options_from("optimizer", options));
  SEXP held = PROTECT(held_by(model, data));
  SEXP pointer = PROTECT(new_pointer(&optimizer_class, held));
  SEXP handle = PROTECT(new_saved_handle(pointer));
  vtemper_optimizer* optimizer = NULL;
  check(vtemper_optimizer_create(fitted, rows, options_of(set), &optimizer));
  set_address(pointer, optimizer);
  UNPROTECT(4);
  return handle;
}

/* A new handle of the model that the optimizer fits. */
SEXP vt_optimizer_model(SEXP handle) {
  SEXP pointer = PROTECT(new_pointer(&model_class, R_NilValue));
  SEXP made = PROTECT(new_saved_handle(pointer));
  vtemper_model* model = NULL;
  check(vtemper_optimizer_model(optimizer_of(handle), &model));
  set_address(pointer, model);
  UNPROTECT(2);
  return made;
}

SEXP vt_optimizer_option(SEXP handle, SEXP name) {
  const char* text = "";
  check(vtemper_optimizer_option(optimizer_of(handle), text_of(name, "name"), &text));
  return Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8));
}

SEXP vt_optimizer_used_options(SEXP handle) {
  vtemper_options* used = NULL;
  check(vtemper_optimizer_used_options(optimizer_of(handle), &used));
  return option_texts(used, "optimizer");
}

/* ---- Runs ---- */

typedef struct Message {
  struct Message* next;
  int32_t level;
  char text[];
} Message;

/* Data for the callbacks of a run. */
typedef struct Run {
  SEXP monitor; /* a function of one report, or R_NilValue */
  SEXP token;
  const vtemper_report* report;
  jmp_buf before_monitor;
  int jumped;  /* a jump out of the monitor waits to be continued */
  int stopped; /* the monitor answered FALSE */
  Message* messages;
  Message** last;
} Run;

static SEXP call_monitor(void* user) {
  Run* run = user;
  SEXP report = PROTECT(report_to_list(run->report));
  SEXP call = PROTECT(Rf_lang2(run->monitor, report));
  SEXP answer = PROTECT(Rf_eval(call, R_GlobalEnv));
  run->stopped = TYPEOF(answer) == LGLSXP && XLENGTH(answer) == 1 && LOGICAL(answer)[0] == 0;
  UNPROTECT(3);
  return R_NilValue;
}

static void catch_jump(void* user, Rboolean jumps) {
  Run* run = user;
  if (jumps) longjmp(run->before_monitor, 1);
}

/* No jump leaves this function: it is caught here and continued when the library has returned. */
static int on_report(const vtemper_report* report, void* user) {
  Run* run = user;
  run->report = report;
  if (setjmp(run->before_monitor)) {
    run->jumped = 1;
    return 1;
  }
  R_UnwindProtect(call_monitor, run, catch_jump, run, run->token);
  return run->stopped;
}

/* Kept until the library has returned: R's own messages and warnings may jump. */
static void on_message(int32_t level, const char* text, void* user) {
  Run* run = user;
  Message* message = malloc(sizeof *message + strlen(text) + 1);
  if (message == NULL) return;
  message->next = NULL;
  message->level = level;
  strcpy(message->text, text);
  *run->last = message;
  run->last = &message->next;
}

static void free_messages(void* user) {
  Run* run = user;
  while (run->messages != NULL) {
    Message* next = run->messages->next;
    free(run->messages);
    run->messages = next;
  }
}

/* The texts of the messages, named by their level. */
static SEXP messages_to_r(void* user) {
  const Run* run = user;
  R_xlen_t count = 0;
  for (const Message* m = run->messages; m != NULL; m = m->next) ++count;
  SEXP texts = PROTECT(Rf_allocVector(STRSXP, count));
  SEXP levels = PROTECT(Rf_allocVector(STRSXP, count));
  R_xlen_t i = 0;
  for (const Message* m = run->messages; m != NULL; m = m->next, ++i) {
    SET_STRING_ELT(texts, i, Rf_mkCharCE(m->text, CE_UTF8));
    SET_STRING_ELT(levels, i, Rf_mkChar(m->level > 1 ? "warning" : "note"));
  }
  Rf_setAttrib(texts, R_NamesSymbol, levels);
  UNPROTECT(2);
  return texts;
}

/* `steps` NULL: to the end of the run. A list of the messages and whether the monitor stopped the run. */
SEXP vt_optimizer_run(SEXP handle, SEXP steps, SEXP monitor) {
  static const char* const names[] = {"messages", "stopped"};
  vtemper_optimizer* optimizer = optimizer_of(handle);
  const int64_t count = steps == R_NilValue ? 0 : whole_of(steps, "steps");
  Run run = {.monitor = monitor, .token = PROTECT(R_MakeUnwindCont())};
  run.last = &run.messages;
  check(vtemper_optimizer_set_monitor(optimizer, monitor == R_NilValue ? NULL : on_report, &run));
  check(vtemper_optimizer_set_messages(optimizer, on_message, &run));
  long_call_begins();
  const vtemper_status status =
      steps == R_NilValue ? vtemper_optimizer_run(optimizer, NULL) : vtemper_optimizer_step(optimizer, count, NULL);
  long_call_ends();
  vtemper_optimizer_set_monitor(optimizer, NULL, NULL);
  vtemper_optimizer_set_messages(optimizer, NULL, NULL);
  if (run.jumped) {
    free_messages(&run);
    R_ContinueUnwind(run.token);
  }
  SEXP result = PROTECT(named_list(2, names));
  SET_VECTOR_ELT(result, 0, R_ExecWithCleanup(messages_to_r, &run, free_messages, &run));
  SET_VECTOR_ELT(result, 1, Rf_ScalarLogical(run.stopped));
  if (!run.stopped) check_long(status);
  UNPROTECT(2);
  return result;
}

SEXP vt_optimizer_feed(SEXP handle, SEXP batch) {
  vtemper_optimizer* optimizer = optimizer_of(handle);
  const vtemper_data* rows = data_of(batch);
  long_call_begins();
  const vtemper_status status = vtemper_optimizer_feed(optimizer, rows, NULL);
  long_call_ends();
  check_long(status);
  return R_NilValue;
}

SEXP vt_optimizer_report(SEXP handle) {
  vtemper_report report = {.struct_size = sizeof report};
  check(vtemper_optimizer_report(optimizer_of(handle), &report));
  return report_to_list(&report);
}

/* ---- Quantities ---- */

SEXP vt_optimizer_quantities(SEXP handle) {
  const vtemper_optimizer* optimizer = optimizer_of(handle);
  int32_t count = 0;
  check(vtemper_optimizer_quantity_count(optimizer, &count));
  SEXP list = PROTECT(Rf_allocVector(VECSXP, count));
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity info = {.struct_size = sizeof info};
    check(vtemper_optimizer_quantity_info(optimizer, i, &info));
    SET_VECTOR_ELT(list, i, quantity_to_list(&info));
  }
  UNPROTECT(1);
  return list;
}

/* `index` from 1 into vt_optimizer_quantities. */
SEXP vt_optimizer_get(SEXP handle, SEXP index) {
  const vtemper_optimizer* optimizer = optimizer_of(handle);
  vtemper_quantity info = {.struct_size = sizeof info};
  check(vtemper_optimizer_quantity_info(optimizer, Rf_asInteger(index) - 1, &info));
  SEXP array = PROTECT(array_of(&info));
  const int64_t length = (int64_t)XLENGTH(array);
  if (info.rank == 2) {
    check(vtemper_optimizer_get_strided(optimizer, info.name, REAL(array), length, 1, column_stride_of(&info)));
  } else {
    check(vtemper_optimizer_get(optimizer, info.name, REAL(array), length));
  }
  UNPROTECT(1);
  return array;
}

/* ---- Checkpoints ---- */

SEXP vt_optimizer_to_bytes(SEXP handle) {
  SEXP waiting = waiting_bytes(handle);
  if (waiting != R_NilValue) return waiting;
  const vtemper_optimizer* optimizer = optimizer_of(handle);
  int64_t size = 0;
  check(vtemper_optimizer_save_buffer(optimizer, NULL, 0, &size));
  SEXP bytes = PROTECT(Rf_allocVector(RAWSXP, (R_xlen_t)size));
  check(vtemper_optimizer_save_buffer(optimizer, RAW(bytes), size, &size));
  UNPROTECT(1);
  return bytes;
}

SEXP vt_optimizer_from_bytes(SEXP bytes, SEXP data) {
  if (TYPEOF(bytes) != RAWSXP) fail_as(VTEMPER_ERROR_ARGUMENT, "bytes must be a raw vector");
  const vtemper_data* rows = data == R_NilValue ? NULL : data_of(data);
  SEXP held = PROTECT(held_by(R_NilValue, data));
  SEXP pointer = PROTECT(new_pointer(&optimizer_class, held));
  SEXP handle = PROTECT(new_saved_handle(pointer));
  vtemper_optimizer* optimizer = NULL;
  check(vtemper_optimizer_load_buffer(RAW(bytes), (int64_t)XLENGTH(bytes), rows, &optimizer));
  set_address(pointer, optimizer);
  UNPROTECT(3);
  return handle;
}

/* Whether an optimizer can be stepped, or waits for its data after it was read from a file. */
SEXP vt_optimizer_lives(SEXP handle) {
  return Rf_ScalarLogical(waiting_bytes(handle) == R_NilValue);
}

/* The data handle that an optimizer of this session was made with; NULL if there is none. */
SEXP vt_optimizer_data(SEXP handle) {
  if (waiting_bytes(handle) != R_NilValue) return R_NilValue;
  optimizer_of(handle);
  SEXP held = R_ExternalPtrProtected(pointer_of(handle));
  return VECTOR_ELT(held, 1);
}
