/* Shared by the files of the binding: handles, failures, interrupts, options.
 *
 * Every handle of the library lives in an external pointer with a class tag, a finalizer that destroys it and a
 * protected value: the R objects that it borrows or that must live as long. Nothing of the library is held outside
 * one while R code or an R allocation can jump. A failing status becomes an R condition only after the library has
 * returned, so no jump crosses its frames. */
#ifndef VTEMPER_R_H
#define VTEMPER_R_H

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

#include <vtemper/vtemper.h>

/* ---- handles.c: external pointers, and handles that saveRDS keeps ---- */

typedef struct HandleClass {
  const char* tag;                                               /* names the class, also in messages */
  void (*destroy)(void* address);                                /* what the finalizer calls */
  vtemper_status (*save)(const void*, void*, int64_t, int64_t*); /* to bytes, for handles that can be saved */
} HandleClass;

extern const HandleClass options_class, data_class, model_class, optimizer_class, group_class;

/* An empty external pointer of a class, to be filled by set_address; `held` lives as long as it. */
SEXP new_pointer(const HandleClass* class, SEXP held);
void set_address(SEXP pointer, void* address);

/* A handle that saveRDS keeps, around an external pointer. */
SEXP new_saved_handle(SEXP pointer);
/* The address of a handle of either sort; an R condition if it is of another class or invalid. */
void* address_of(SEXP handle, const HandleClass* class);
/* The external pointer of a handle of either sort. */
SEXP pointer_of(SEXP handle);
/* The bytes that a handle was read from and that were not made into an optimizer yet; R_NilValue otherwise. */
SEXP waiting_bytes(SEXP handle);
void saved_handles_init(DllInfo* dll);

static inline vtemper_data* data_of(SEXP handle) {
  return address_of(handle, &data_class);
}
static inline vtemper_model* model_of(SEXP handle) {
  return address_of(handle, &model_class);
}
static inline vtemper_optimizer* optimizer_of(SEXP handle) {
  return address_of(handle, &optimizer_class);
}

/* ---- failures.c ---- */

/* Signals the R condition of a failed status, with the library's message; returns for OK. */
void check(vtemper_status status);
/* Signals a condition of ours with a status's class. */
void fail_as(vtemper_status status, const char* message);
/* The namespace of the package. */
SEXP package_namespace(void);

/* ---- interrupts.c ---- */

/* Around every long call: R's interrupts end it. Nothing between the two may jump. */
void long_call_begins(void);
void long_call_ends(void);
/* As check; a call that the user's interrupt ended signals the interrupt, one ended by an error of R the error. */
void check_long(vtemper_status status);

/* ---- options.c ---- */

/* A set of options from a named list of values (NULL and empty lists: the defaults, R_NilValue). */
SEXP options_from(const char* subject, SEXP values);

/* The options of a subject that are in the set, as a named character vector; destroys the set. */
SEXP option_texts(vtemper_options* options, const char* subject);
const vtemper_options* options_of(SEXP handle);

/* ---- values.c: small things between C and R ---- */

SEXP named_list(int count, const char* const* names);
/* Texts with names, all empty; set_named_text() fills them. */
SEXP named_texts(int count);
void set_named_text(SEXP texts, int index, const char* name, const char* text);
/* One string in UTF-8, as the library takes texts. */
const char* text_of(SEXP text, const char* argument);
/* One path in the bytes of the locale, which R's own functions open. */
const char* path_of(SEXP path, const char* argument);
/* One number, cut to a whole one; a condition if it is not finite or its whole part is not exact. */
int64_t whole_of(SEXP number, const char* argument);
SEXP report_to_list(const vtemper_report* report);
SEXP quantity_to_list(const vtemper_quantity* info);
/* A double vector or matrix of the quantity's shape; more dimensions come row-major, for R code to turn. */
SEXP array_of(const vtemper_quantity* info);
/* Distance between neighbours in a column (row_stride) and in a row of such an array. */
int64_t column_stride_of(const vtemper_quantity* info);

#endif
