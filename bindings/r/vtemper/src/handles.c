/* External pointers, and handles that saveRDS keeps.
 *
 * Models and optimizers are wrapped in an ALTREP vector of length 0 around their external pointer: serialize stores
 * the state of such a vector, which is the library's own bytes, and unserialize restores it. Plain external pointers
 * (data) are invalid after unserialize, and say so when they are used. */

#include "vtemper_r.h"

#include <R_ext/Altrep.h>
#include <stdio.h>
#include <string.h>

static void destroy_options(void* address) {
  vtemper_options_destroy(address);
}
static void destroy_data(void* address) {
  vtemper_data_destroy(address);
}
static void destroy_model(void* address) {
  vtemper_model_destroy(address);
}
static void destroy_optimizer(void* address) {
  vtemper_optimizer_destroy(address);
}

static vtemper_status save_model(const void* address, void* buffer, int64_t capacity, int64_t* size) {
  return vtemper_model_save_buffer(address, buffer, capacity, size);
}

static vtemper_status save_optimizer(const void* address, void* buffer, int64_t capacity, int64_t* size) {
  return vtemper_optimizer_save_buffer(address, buffer, capacity, size);
}

const HandleClass options_class = {"vtemper_options", destroy_options, NULL};
const HandleClass data_class = {"vtemper_data", destroy_data, NULL};
const HandleClass model_class = {"vtemper_model", destroy_model, save_model};
const HandleClass optimizer_class = {"vtemper_optimizer", destroy_optimizer, save_optimizer};

static const HandleClass* const classes[] = {&options_class, &data_class, &model_class, &optimizer_class,
                                             &group_class};

static R_altrep_class_t saved_class;

static const HandleClass* class_named(const char* tag) {
  for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i) {
    if (strcmp(classes[i]->tag, tag) == 0) return classes[i];
  }
  return NULL;
}

static const HandleClass* class_of_pointer(SEXP pointer) {
  SEXP tag = R_ExternalPtrTag(pointer);
  return TYPEOF(tag) == SYMSXP ? class_named(CHAR(PRINTNAME(tag))) : NULL;
}

static void finalize(SEXP pointer) {
  void* address = R_ExternalPtrAddr(pointer);
  if (address == NULL) return;
  R_ClearExternalPtr(pointer);
  class_of_pointer(pointer)->destroy(address);
}

SEXP new_pointer(const HandleClass* class, SEXP held) {
  SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, Rf_install(class->tag), held));
  R_RegisterCFinalizerEx(pointer, finalize, TRUE);
  UNPROTECT(1);
  return pointer;
}

void set_address(SEXP pointer, void* address) {
  R_SetExternalPtrAddr(pointer, address);
}

SEXP new_saved_handle(SEXP pointer) {
  return R_new_altrep(saved_class, pointer, R_NilValue);
}

static int is_saved_handle(SEXP handle) {
  return ALTREP(handle) && R_altrep_inherits(handle, saved_class);
}

SEXP pointer_of(SEXP handle) {
  return is_saved_handle(handle) ? R_altrep_data1(handle) : handle;
}

SEXP waiting_bytes(SEXP handle) {
  return is_saved_handle(handle) ? R_altrep_data2(handle) : R_NilValue;
}

/* A model that was unserialized is created when it is first used. */
static void* revive_model(SEXP handle, SEXP pointer) {
  SEXP bytes = R_altrep_data2(handle);
  vtemper_model* model = NULL;
  check(vtemper_model_load_buffer(RAW(bytes), (int64_t)XLENGTH(bytes), &model));
  set_address(pointer, model);
  R_set_altrep_data2(handle, R_NilValue);
  return model;
}

void* address_of(SEXP handle, const HandleClass* class) {
  char message[200];
  SEXP pointer = pointer_of(handle);
  if (TYPEOF(pointer) != EXTPTRSXP || class_of_pointer(pointer) != class) {
    if (TYPEOF(pointer) == RAWSXP) {
      fail_as(VTEMPER_ERROR_STATE,
              "the handle is dead: it was saved in an old format; save with saveRDS(version = 3), "
              "vt_serialize() or vt_save()");
    }
    snprintf(message, sizeof message, "this is no handle of class %s", class->tag);
    fail_as(VTEMPER_ERROR_ARGUMENT, message);
  }
  void* address = R_ExternalPtrAddr(pointer);
  if (address != NULL) return address;
  if (is_saved_handle(handle) && class == &model_class) return revive_model(handle, pointer);
  if (class == &optimizer_class) {
    fail_as(VTEMPER_ERROR_STATE, "the optimizer was read from a file and has no data yet: give the data to update()");
  }
  snprintf(message, sizeof message,
           "the handle of class %s is dead: it does not survive saving or another session; make it again",
           class->tag);
  fail_as(VTEMPER_ERROR_STATE, message);
  return NULL;
}

/* ---- The ALTREP class ---- */

static R_xlen_t saved_length(SEXP handle) {
  (void)handle;
  return 0;
}

static void* saved_dataptr(SEXP handle, Rboolean writable) {
  (void)handle;
  (void)writable;
  static char nothing;
  return &nothing;
}

static Rbyte saved_element(SEXP handle, R_xlen_t index) {
  (void)handle;
  (void)index;
  return 0;
}

/* A handle is a reference; models and optimizers that are meant to be copied are copied by the library. */
static SEXP saved_duplicate(SEXP handle, Rboolean deep) {
  (void)deep;
  return handle;
}

static SEXP saved_state(SEXP handle) {
  SEXP pointer = R_altrep_data1(handle);
  const HandleClass* class = class_of_pointer(pointer);
  SEXP state = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(state, 0, Rf_mkString(class->tag));
  const void* address = R_ExternalPtrAddr(pointer);
  if (address == NULL) {
    SET_VECTOR_ELT(state, 1, R_altrep_data2(handle));
  } else {
    int64_t size = 0;
    check(class->save(address, NULL, 0, &size));
    SET_VECTOR_ELT(state, 1, Rf_allocVector(RAWSXP, (R_xlen_t)size));
    check(class->save(address, RAW(VECTOR_ELT(state, 1)), size, &size));
  }
  UNPROTECT(1);
  return state;
}

static SEXP saved_unserialize(SEXP class_name, SEXP state) {
  (void)class_name;
  const int sound = TYPEOF(state) == VECSXP && XLENGTH(state) == 2 && TYPEOF(VECTOR_ELT(state, 0)) == STRSXP &&
                    XLENGTH(VECTOR_ELT(state, 0)) == 1 &&
                    (TYPEOF(VECTOR_ELT(state, 1)) == RAWSXP || VECTOR_ELT(state, 1) == R_NilValue);
  const HandleClass* class = sound ? class_named(CHAR(STRING_ELT(VECTOR_ELT(state, 0), 0))) : NULL;
  if (class == NULL || class->save == NULL) fail_as(VTEMPER_ERROR_FORMAT, "the saved handle is damaged");
  SEXP pointer = PROTECT(new_pointer(class, R_NilValue));
  SEXP handle = R_new_altrep(saved_class, pointer, VECTOR_ELT(state, 1));
  UNPROTECT(1);
  return handle;
}

static Rboolean saved_inspect(SEXP handle, int pre, int deep, int column, void (*inspect)(SEXP, int, int, int)) {
  (void)pre;
  (void)deep;
  (void)column;
  (void)inspect;
  Rprintf(" %s\n", class_of_pointer(R_altrep_data1(handle))->tag);
  return TRUE;
}

void saved_handles_init(DllInfo* dll) {
  saved_class = R_make_altraw_class("vtemper_handle", "vtemper", dll);
  R_set_altrep_Length_method(saved_class, saved_length);
  R_set_altrep_Duplicate_method(saved_class, saved_duplicate);
  R_set_altrep_Serialized_state_method(saved_class, saved_state);
  R_set_altrep_Unserialize_method(saved_class, saved_unserialize);
  R_set_altrep_Inspect_method(saved_class, saved_inspect);
  R_set_altvec_Dataptr_method(saved_class, saved_dataptr);
  R_set_altraw_Elt_method(saved_class, saved_element);
}
