/* Describing: kinds and options. Sets of options from R values. */

#include "vtemper_r.h"

#include <stdio.h>
#include <string.h>

#include "entries.h"

SEXP vt_build_info(void) {
  return Rf_mkString(vtemper_build_info());
}

SEXP vt_version(void) {
  static const char* const names[] = {"text", "number", "header"};
  SEXP list = PROTECT(named_list(3, names));
  SET_VECTOR_ELT(list, 0, Rf_mkString(vtemper_version()));
  SET_VECTOR_ELT(list, 1, Rf_ScalarInteger(vtemper_version_number()));
  SET_VECTOR_ELT(list, 2, Rf_ScalarInteger(VTEMPER_VERSION_NUMBER));
  UNPROTECT(1);
  return list;
}

SEXP vt_kinds(void) {
  static const char* const names[] = {"kind", "form", "description"};
  const int count = vtemper_model_kind_count();
  SEXP list = PROTECT(named_list(3, names));
  SET_VECTOR_ELT(list, 0, Rf_allocVector(STRSXP, count));
  SET_VECTOR_ELT(list, 1, Rf_allocVector(INTSXP, count));
  SET_VECTOR_ELT(list, 2, Rf_allocVector(STRSXP, count));
  for (int i = 0; i < count; ++i) {
    const char* kind = vtemper_model_kind_name(i);
    vtemper_data_form form = VTEMPER_COUNTS;
    check(vtemper_model_kind_form(kind, &form));
    SET_STRING_ELT(VECTOR_ELT(list, 0), i, Rf_mkChar(kind));
    INTEGER(VECTOR_ELT(list, 1))[i] = (int)form;
    SET_STRING_ELT(VECTOR_ELT(list, 2), i, Rf_mkChar(vtemper_model_kind_description(i)));
  }
  UNPROTECT(1);
  return list;
}

SEXP vt_kind_form(SEXP kind) {
  vtemper_data_form form = VTEMPER_COUNTS;
  check(vtemper_model_kind_form(text_of(kind, "kind"), &form));
  return Rf_ScalarInteger((int)form);
}

SEXP vt_option_table(SEXP subject) {
  static const char* const names[] = {"name", "type", "default", "minimum", "maximum", "choices", "description"};
  const char* key = text_of(subject, "subject");
  int32_t count = 0;
  check(vtemper_option_count(key, &count));
  SEXP list = PROTECT(named_list(7, names));
  for (int column = 0; column < 7; ++column) {
    const SEXPTYPE type = column == 1 ? INTSXP : column == 3 || column == 4 ? REALSXP : STRSXP;
    SET_VECTOR_ELT(list, column, Rf_allocVector(type, count));
  }
  for (int i = 0; i < count; ++i) {
    vtemper_option info = {.struct_size = sizeof info};
    check(vtemper_option_info(key, i, &info));
    SET_STRING_ELT(VECTOR_ELT(list, 0), i, Rf_mkCharCE(info.name, CE_UTF8));
    INTEGER(VECTOR_ELT(list, 1))[i] = info.type;
    SET_STRING_ELT(VECTOR_ELT(list, 2), i, Rf_mkCharCE(info.default_text, CE_UTF8));
    REAL(VECTOR_ELT(list, 3))[i] = info.minimum;
    REAL(VECTOR_ELT(list, 4))[i] = info.maximum;
    SET_STRING_ELT(VECTOR_ELT(list, 5), i, Rf_mkCharCE(info.choices, CE_UTF8));
    SET_STRING_ELT(VECTOR_ELT(list, 6), i, Rf_mkCharCE(info.description, CE_UTF8));
  }
  UNPROTECT(1);
  return list;
}

typedef struct Texts {
  vtemper_options* options;
  const char* subject;
} Texts;

static SEXP make_option_texts(void* given) {
  const Texts* texts = given;
  int32_t count = 0, known = 0;
  const char* text = NULL;
  check(vtemper_option_count(texts->subject, &count));
  vtemper_option info = {.struct_size = sizeof info};
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_option_info(texts->subject, i, &info));
    known += vtemper_options_get_text(texts->options, info.name, &text) == VTEMPER_OK;
  }
  SEXP values = PROTECT(Rf_allocVector(STRSXP, known));
  SEXP names = PROTECT(Rf_allocVector(STRSXP, known));
  for (int32_t i = 0, next = 0; i < count; ++i) {
    check(vtemper_option_info(texts->subject, i, &info));
    if (vtemper_options_get_text(texts->options, info.name, &text) != VTEMPER_OK) continue;
    SET_STRING_ELT(names, next, Rf_mkCharCE(info.name, CE_UTF8));
    SET_STRING_ELT(values, next++, Rf_mkCharCE(text, CE_UTF8));
  }
  Rf_setAttrib(values, R_NamesSymbol, names);
  UNPROTECT(2);
  return values;
}

static void destroy_texts(void* given) {
  vtemper_options_destroy(((Texts*)given)->options);
}

/* Options of the run that its parts do not use are not in the set. */
SEXP option_texts(vtemper_options* options, const char* subject) {
  Texts texts = {options, subject};
  return R_ExecWithCleanup(make_option_texts, &texts, destroy_texts, &texts);
}

/* Type of an option; text if the subject has no such option, which its creation refuses. */
static int type_of_option(const char* subject, const char* name) {
  int32_t count = 0;
  check(vtemper_option_count(subject, &count));
  for (int32_t i = 0; i < count; ++i) {
    vtemper_option info = {.struct_size = sizeof info};
    check(vtemper_option_info(subject, i, &info));
    if (strcmp(info.name, name) == 0) return info.type;
  }
  return 0;
}

static int all_finite(SEXP numbers) {
  for (R_xlen_t i = 0; i < XLENGTH(numbers); ++i) {
    if (!R_FINITE(REAL(numbers)[i])) return 0;
  }
  return XLENGTH(numbers) > 0;
}

static void set_option(vtemper_options* options, const char* subject, const char* name, SEXP value) {
  const double number = TYPEOF(value) == REALSXP && XLENGTH(value) == 1 ? REAL(value)[0] : 0.5;
  const int whole = number > -9e15 && number < 9e15 && number == (double)(int64_t)number;
  if (TYPEOF(value) == STRSXP && XLENGTH(value) == 1) {
    const int is_path = type_of_option(subject, name) == VTEMPER_OPTION_TEXT; /* the library has no other texts */
    check(vtemper_options_set(options, name, is_path ? path_of(value, name) : text_of(value, name)));
  } else if (TYPEOF(value) == LGLSXP && XLENGTH(value) == 1 && LOGICAL(value)[0] != NA_LOGICAL) {
    check(vtemper_options_set(options, name, LOGICAL(value)[0] ? "true" : "false"));
  } else if (TYPEOF(value) == REALSXP && all_finite(value) && XLENGTH(value) > 1) {
    check(vtemper_options_set_reals(options, name, REAL(value), (int64_t)XLENGTH(value)));
  } else if (TYPEOF(value) == REALSXP && all_finite(value)) {
    if (whole && type_of_option(subject, name) == VTEMPER_OPTION_INTEGER) {
      check(vtemper_options_set_integer(options, name, (int64_t)number));
    } else {
      check(vtemper_options_set_real(options, name, REAL(value)[0]));
    }
  } else {
    char message[300];
    snprintf(message, sizeof message, "option %.100s must be a string, TRUE or FALSE, or finite numbers", name);
    fail_as(VTEMPER_ERROR_OPTION, message);
  }
}

SEXP options_from(const char* subject, SEXP values) {
  if (values == R_NilValue || XLENGTH(values) == 0) return R_NilValue;
  SEXP names = PROTECT(Rf_getAttrib(values, R_NamesSymbol));
  if (TYPEOF(values) != VECSXP || TYPEOF(names) != STRSXP) {
    fail_as(VTEMPER_ERROR_ARGUMENT, "options must be a named list");
  }
  SEXP pointer = PROTECT(new_pointer(&options_class, R_NilValue));
  vtemper_options* options = NULL;
  check(vtemper_options_create(&options));
  set_address(pointer, options);
  for (R_xlen_t i = 0; i < XLENGTH(values); ++i) {
    set_option(options, subject, Rf_translateCharUTF8(STRING_ELT(names, i)), VECTOR_ELT(values, i));
  }
  UNPROTECT(2);
  return pointer;
}

const vtemper_options* options_of(SEXP handle) {
  return handle == R_NilValue ? NULL : address_of(handle, &options_class);
}
