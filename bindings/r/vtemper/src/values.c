/* Small helpers between C and R. */

#include "vtemper_r.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

SEXP named_list(int count, const char* const* names) {
  SEXP list = PROTECT(Rf_allocVector(VECSXP, count));
  SEXP list_names = PROTECT(Rf_allocVector(STRSXP, count));
  for (int i = 0; i < count; ++i) SET_STRING_ELT(list_names, i, Rf_mkChar(names[i]));
  Rf_setAttrib(list, R_NamesSymbol, list_names);
  UNPROTECT(2);
  return list;
}

SEXP named_texts(int count) {
  SEXP texts = PROTECT(Rf_allocVector(STRSXP, count));
  Rf_setAttrib(texts, R_NamesSymbol, PROTECT(Rf_allocVector(STRSXP, count)));
  UNPROTECT(2);
  return texts;
}

void set_named_text(SEXP texts, int index, const char* name, const char* text) {
  SET_STRING_ELT(Rf_getAttrib(texts, R_NamesSymbol), index, Rf_mkCharCE(name, CE_UTF8));
  SET_STRING_ELT(texts, index, Rf_mkCharCE(text, CE_UTF8));
}

static SEXP one_string(SEXP text, const char* argument) {
  if (TYPEOF(text) != STRSXP || XLENGTH(text) != 1 || STRING_ELT(text, 0) == NA_STRING) {
    char message[200];
    snprintf(message, sizeof message, "argument %s must be one string", argument);
    fail_as(VTEMPER_ERROR_ARGUMENT, message);
  }
  return STRING_ELT(text, 0);
}

const char* text_of(SEXP text, const char* argument) {
  return Rf_translateCharUTF8(one_string(text, argument));
}

const char* path_of(SEXP path, const char* argument) {
  SEXP string = one_string(path, argument);
  if (Rf_getCharCE(string) == CE_NATIVE) return CHAR(string);
  /* Where R cannot translate a letter it writes its code, which would be the name of another file. */
  const char* native = Rf_translateChar(string);
  const char* text = Rf_translateCharUTF8(string);
  if (strcmp(Rf_reEnc(native, CE_NATIVE, CE_UTF8, 0), text) != 0) {
    char message[1024];
    snprintf(message, sizeof message, "the path %.900s cannot be written in the encoding of this session's locale",
             text);
    fail_as(VTEMPER_ERROR_ARGUMENT, message);
  }
  return native;
}

int64_t whole_of(SEXP number, const char* argument) {
  const double value = Rf_asReal(number);
  if (!(fabs(value) <= 9007199254740992.0)) { /* 2^53; NaN is refused too */
    char message[200];
    snprintf(message, sizeof message, "argument %s must be a whole number, not %g", argument, value);
    fail_as(VTEMPER_ERROR_ARGUMENT, message);
  }
  return (int64_t)value;
}

SEXP report_to_list(const vtemper_report* report) {
  static const char* const names[] = {"iteration",
                                      "rows_seen",
                                      "passes",
                                      "elbo",
                                      "objective",
                                      "expected_log_likelihood",
                                      "temperature",
                                      "inverse_temperature",
                                      "step_size",
                                      "perturbation",
                                      "proximity",
                                      "change",
                                      "seconds",
                                      "converged",
                                      "finished",
                                      "objective_falls",
                                      "empty_rows",
                                      "unused_components",
                                      "duplicate_components",
                                      "settled",
                                      "ending"};
  static const char* const endings[] = {"none", "converged", "length", "time", "deadline", "cancelled"};
  const double values[] = {(double)report->iteration,
                           (double)report->rows_seen,
                           report->passes,
                           report->elbo,
                           report->objective,
                           report->expected_log_likelihood,
                           report->temperature,
                           report->inverse_temperature,
                           report->step_size,
                           report->perturbation,
                           report->proximity,
                           report->change,
                           report->seconds,
                           report->converged,
                           report->finished,
                           (double)report->objective_falls,
                           (double)report->empty_rows,
                           (double)report->unused_components,
                           (double)report->duplicate_components,
                           report->settled};
  enum { count = sizeof values / sizeof *values, known_endings = sizeof endings / sizeof *endings };
  SEXP list = PROTECT(named_list(count + 1, names));
  for (int i = 0; i < count; ++i) {
    const int is_logical = i == 13 || i == 14 || i == count - 1;
    SET_VECTOR_ELT(list, i, is_logical ? Rf_ScalarLogical(values[i] != 0) : Rf_ScalarReal(values[i]));
  }
  const int32_t ending = report->ending >= 0 && report->ending < known_endings ? report->ending : 0;
  SET_VECTOR_ELT(list, count, Rf_mkString(endings[ending]));
  UNPROTECT(1);
  return list;
}

SEXP quantity_to_list(const vtemper_quantity* info) {
  static const char* const names[] = {"name", "shape", "settable", "description"};
  SEXP list = PROTECT(named_list(4, names));
  SET_VECTOR_ELT(list, 0, Rf_mkString(info->name));
  SET_VECTOR_ELT(list, 1, Rf_allocVector(REALSXP, info->rank));
  for (int i = 0; i < info->rank; ++i) REAL(VECTOR_ELT(list, 1))[i] = (double)info->shape[i];
  SET_VECTOR_ELT(list, 2, Rf_ScalarLogical(info->settable != 0));
  SET_VECTOR_ELT(list, 3, Rf_mkString(info->description));
  UNPROTECT(1);
  return list;
}

static R_xlen_t size_of(const vtemper_quantity* info) {
  R_xlen_t size = 1;
  for (int i = 0; i < info->rank; ++i) size *= (R_xlen_t)info->shape[i];
  return size;
}

SEXP array_of(const vtemper_quantity* info) {
  if (info->rank == 2) {
    if (info->shape[0] > INT_MAX || info->shape[1] > INT_MAX) {
      fail_as(VTEMPER_ERROR_UNSUPPORTED, "the array has more rows or columns than a matrix of R can have");
    }
    return Rf_allocMatrix(REALSXP, (int)info->shape[0], (int)info->shape[1]);
  }
  return Rf_allocVector(REALSXP, size_of(info));
}

int64_t column_stride_of(const vtemper_quantity* info) {
  return info->shape[0] > 0 ? info->shape[0] : 1;
}
