/* Data: arrays of R, handed over without a copy where the layout allows. */

#include "vtemper_r.h"

#include <float.h>
#include <limits.h>
#include <stdio.h>

#include "entries.h"

/* Called when the library no longer uses borrowed arrays. */
static void release_arrays(void* arrays) {
  R_ReleaseObject(arrays);
}

static vtemper_element element_of(SEXP array, const char* argument) {
  if (TYPEOF(array) == INTSXP) return VTEMPER_INT32;
  if (TYPEOF(array) == REALSXP) return VTEMPER_DOUBLE;
  char message[100];
  snprintf(message, sizeof message, "argument %s must be integer or double", argument);
  fail_as(VTEMPER_ERROR_ARGUMENT, message);
  return VTEMPER_INT32;
}

static const void* elements_of(SEXP array) {
  return TYPEOF(array) == INTSXP ? (const void*)INTEGER(array) : (const void*)REAL(array);
}

/* A new data handle that holds what it borrows. What `make` borrows lives until release_arrays too, because other
 * handles may also hold the data. */
typedef struct Maker {
  vtemper_status (*make)(const struct Maker*, vtemper_ownership, vtemper_release, void* user, vtemper_data**);
  SEXP first, second, third;
  int64_t rows, columns, row_stride, column_stride, base;
  vtemper_layout layout;
} Maker;

static SEXP make_data(const Maker* maker, int borrows) {
  SEXP arrays = PROTECT(Rf_allocVector(VECSXP, 3));
  if (borrows) {
    SET_VECTOR_ELT(arrays, 0, maker->first);
    SET_VECTOR_ELT(arrays, 1, maker->second);
    SET_VECTOR_ELT(arrays, 2, maker->third);
  }
  SEXP pointer = PROTECT(new_pointer(&data_class, borrows ? arrays : R_NilValue));
  vtemper_data* data = NULL;
  if (borrows) R_PreserveObject(arrays);
  const vtemper_status status = maker->make(maker, borrows ? VTEMPER_BORROW : VTEMPER_COPY,
                                            borrows ? release_arrays : NULL, borrows ? arrays : NULL, &data);
  if (status != VTEMPER_OK && borrows) R_ReleaseObject(arrays);
  check(status);
  set_address(pointer, data);
  UNPROTECT(2);
  return pointer;
}

static vtemper_status make_counts(const Maker* m, vtemper_ownership ownership, vtemper_release release, void* user,
                                  vtemper_data** data) {
  return vtemper_data_from_counts(m->layout, m->rows, m->columns, elements_of(m->first),
                                  element_of(m->first, "offsets"), elements_of(m->second),
                                  element_of(m->second, "indices"), elements_of(m->third),
                                  element_of(m->third, "values"), m->base, ownership, release, user, data);
}

SEXP vt_data_from_counts(SEXP by_columns, SEXP rows, SEXP columns, SEXP offsets, SEXP indices, SEXP values,
                         SEXP base) {
  const Maker maker = {.make = make_counts,
                       .first = offsets,
                       .second = indices,
                       .third = values,
                       .rows = whole_of(rows, "rows"),
                       .columns = whole_of(columns, "columns"),
                       .base = whole_of(base, "base"),
                       .layout = Rf_asLogical(by_columns) ? VTEMPER_BY_COLUMNS : VTEMPER_BY_ROWS};
  if (TYPEOF(offsets) != INTSXP || TYPEOF(indices) != INTSXP || XLENGTH(indices) != XLENGTH(values) ||
      (double)XLENGTH(offsets) != 1 + (double)(Rf_asLogical(by_columns) ? maker.columns : maker.rows)) {
    fail_as(VTEMPER_ERROR_ARGUMENT, "offsets, indices and values do not fit together");
  }
  /* The library trusts the last offset, so the arrays must be as long as it says. */
  if ((double)INTEGER(offsets)[XLENGTH(offsets) - 1] - (double)maker.base > (double)XLENGTH(indices)) {
    fail_as(VTEMPER_ERROR_ARGUMENT, "offsets point beyond the end of indices and values");
  }
  element_of(values, "values");
  return make_data(&maker, maker.layout == VTEMPER_BY_ROWS);
}

static vtemper_status make_dense(const Maker* m, vtemper_ownership ownership, vtemper_release release, void* user,
                                 vtemper_data** data) {
  return vtemper_data_from_dense(m->rows, m->columns, REAL(m->first), VTEMPER_DOUBLE, m->row_stride, m->column_stride,
                                 ownership, release, user, data);
}

SEXP vt_data_from_dense(SEXP values, SEXP rows_are_columns) {
  SEXP dim = Rf_getAttrib(values, R_DimSymbol);
  if (TYPEOF(values) != REALSXP || TYPEOF(dim) != INTSXP || XLENGTH(dim) != 2) {
    fail_as(VTEMPER_ERROR_ARGUMENT, "dense data must be a matrix of doubles");
  }
  const int64_t rows = INTEGER(dim)[0], columns = INTEGER(dim)[1];
  const int turned = Rf_asLogical(rows_are_columns);
  const Maker maker = {.make = make_dense,
                       .first = values,
                       .second = R_NilValue,
                       .third = R_NilValue,
                       .rows = turned ? columns : rows,
                       .columns = turned ? rows : columns,
                       .row_stride = turned ? rows : 1,
                       .column_stride = turned ? 1 : rows};
  return make_data(&maker, 1);
}

static vtemper_status make_sequences(const Maker* m, vtemper_ownership ownership, vtemper_release release, void* user,
                                     vtemper_data** data) {
  return vtemper_data_from_sequences(m->rows, m->columns, elements_of(m->first), element_of(m->first, "offsets"),
                                     elements_of(m->second), element_of(m->second, "symbols"), m->base, ownership,
                                     release, user, data);
}

/* Both offsets and symbols count from `base`. */
SEXP vt_data_from_sequences(SEXP alphabet, SEXP offsets, SEXP symbols, SEXP base) {
  const Maker maker = {.make = make_sequences,
                       .first = offsets,
                       .second = symbols,
                       .third = R_NilValue,
                       .rows = (int64_t)XLENGTH(offsets) - 1,
                       .columns = whole_of(alphabet, "alphabet"),
                       .base = whole_of(base, "base")};
  if (TYPEOF(offsets) != INTSXP || TYPEOF(symbols) != INTSXP || XLENGTH(offsets) < 1 ||
      (double)INTEGER(offsets)[XLENGTH(offsets) - 1] - (double)maker.base > (double)XLENGTH(symbols)) {
    fail_as(VTEMPER_ERROR_ARGUMENT, "offsets and symbols do not fit together");
  }
  return make_data(&maker, 1);
}

/* Index from 1 of the first value that is not a count (with `fractions`: that is negative or not finite); 0 if all
 * are counts. */
SEXP vt_first_no_count(SEXP values, SEXP fractions) {
  const int whole = !Rf_asLogical(fractions);
  if (TYPEOF(values) == REALSXP) {
    const double* x = REAL(values);
    const R_xlen_t count = XLENGTH(values);
    const double all_whole_from = 4503599627370496.0; /* 2^52 */
    for (R_xlen_t i = 0; i < count; ++i) {
      const int is_count =
          x[i] >= 0 && x[i] <= DBL_MAX && (!whole || x[i] >= all_whole_from || x[i] == (double)(int64_t)x[i]);
      if (!is_count) return Rf_ScalarReal((double)i + 1);
    }
  }
  return Rf_ScalarReal(0);
}

SEXP vt_data_read(SEXP path, SEXP format) {
  SEXP pointer = PROTECT(new_pointer(&data_class, R_NilValue));
  vtemper_data* data = NULL;
  const char* file = path_of(path, "path");
  const char* kind = text_of(format, "format");
  long_call_begins();
  const vtemper_status status = vtemper_data_read(file, kind, &data);
  long_call_ends();
  check_long(status);
  set_address(pointer, data);
  UNPROTECT(1);
  return pointer;
}

SEXP vt_data_write(SEXP data, SEXP path) {
  check(vtemper_data_write(data_of(data), path_of(path, "path")));
  return R_NilValue;
}

SEXP vt_data_convert(SEXP path, SEXP format, SEXP out_path) {
  const char* file = path_of(path, "path");
  const char* kind = text_of(format, "format");
  const char* out = path_of(out_path, "path");
  long_call_begins();
  const vtemper_status status = vtemper_data_convert(file, kind, NULL, 0, out);
  long_call_ends();
  check_long(status);
  return R_NilValue;
}

SEXP vt_data_info(SEXP handle) {
  static const char* const names[] = {"rows", "columns", "entries", "form"};
  const vtemper_data* data = data_of(handle);
  int64_t sizes[3] = {0, 0, 0};
  vtemper_data_form form = VTEMPER_COUNTS;
  check(vtemper_data_rows(data, &sizes[0]));
  check(vtemper_data_columns(data, &sizes[1]));
  check(vtemper_data_entries(data, &sizes[2]));
  check(vtemper_data_form_of(data, &form));
  SEXP list = PROTECT(named_list(4, names));
  for (int i = 0; i < 3; ++i) SET_VECTOR_ELT(list, i, Rf_ScalarReal((double)sizes[i]));
  SET_VECTOR_ELT(list, 3, Rf_ScalarInteger((int)form));
  UNPROTECT(1);
  return list;
}

SEXP vt_data_total(SEXP handle) {
  double total = 0;
  check(vtemper_data_total(data_of(handle), &total));
  return Rf_ScalarReal(total);
}

/* Pointers to the UTF-8 text of a character vector, in R memory that is released at the end of the call. */
static const char** texts_of(SEXP names) {
  if (TYPEOF(names) != STRSXP) fail_as(VTEMPER_ERROR_ARGUMENT, "names must be a character vector");
  const char** texts = (const char**)R_alloc((size_t)XLENGTH(names) + 1, sizeof *texts);
  for (R_xlen_t i = 0; i < XLENGTH(names); ++i) {
    SEXP name = STRING_ELT(names, i);
    texts[i] = name == NA_STRING ? "" : Rf_translateCharUTF8(name);
  }
  return texts;
}

SEXP vt_data_set_names(SEXP handle, SEXP names) {
  check(vtemper_data_set_names(data_of(handle), texts_of(names), (int64_t)XLENGTH(names)));
  return R_NilValue;
}

SEXP vt_data_names(SEXP handle) {
  const vtemper_data* data = data_of(handle);
  int64_t columns = 0;
  check(vtemper_data_columns(data, &columns));
  const char* name = "";
  if (columns > 0) check(vtemper_data_name(data, 0, &name));
  if (name[0] == '\0') return R_NilValue;
  SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)columns));
  for (int64_t i = 0; i < columns; ++i) {
    check(vtemper_data_name(data, i, &name));
    SET_STRING_ELT(names, (R_xlen_t)i, Rf_mkCharCE(name, CE_UTF8));
  }
  UNPROTECT(1);
  return names;
}

/* texts may be NULL: the field is removed. */
SEXP vt_data_set_row_texts(SEXP handle, SEXP field, SEXP texts) {
  const char** given = texts == R_NilValue ? NULL : texts_of(texts);
  check(vtemper_data_set_row_texts(data_of(handle), text_of(field, "field"), given,
                                   given == NULL ? 0 : (int64_t)XLENGTH(texts)));
  return R_NilValue;
}

/* The names of the fields of row texts. */
SEXP vt_data_row_fields(SEXP handle) {
  const vtemper_data* data = data_of(handle);
  int32_t count = 0;
  check(vtemper_data_row_field_count(data, &count));
  SEXP fields = PROTECT(Rf_allocVector(STRSXP, count));
  for (int32_t i = 0; i < count; ++i) {
    const char* field = "";
    check(vtemper_data_row_field_name(data, i, &field));
    SET_STRING_ELT(fields, i, Rf_mkCharCE(field, CE_UTF8));
  }
  UNPROTECT(1);
  return fields;
}

/* Texts of all notes, named by their names. */
SEXP vt_data_notes(SEXP handle) {
  const vtemper_data* data = data_of(handle);
  int32_t count = 0;
  check(vtemper_data_note_count(data, &count));
  SEXP texts = PROTECT(named_texts(count));
  for (int32_t i = 0; i < count; ++i) {
    const char *name = "", *text = "";
    check(vtemper_data_note_name(data, i, &name));
    check(vtemper_data_note(data, name, &text));
    set_named_text(texts, i, name, text);
  }
  UNPROTECT(1);
  return texts;
}

/* The texts of the rows in a field, or NULL if the data have no such field. */
SEXP vt_data_row_texts(SEXP handle, SEXP field) {
  const vtemper_data* data = data_of(handle);
  const char *wanted = CHAR(STRING_ELT(field, 0)), *name = "", *text;
  int32_t count = 0;
  int64_t rows = 0;
  check(vtemper_data_row_field_count(data, &count));
  for (int32_t i = 0; i < count && strcmp(name, wanted) != 0; ++i) check(vtemper_data_row_field_name(data, i, &name));
  if (strcmp(name, wanted) != 0) return R_NilValue;
  check(vtemper_data_rows(data, &rows));
  SEXP texts = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)rows));
  for (int64_t i = 0; i < rows; ++i) {
    check(vtemper_data_row_text(data, wanted, i, &text));
    SET_STRING_ELT(texts, (R_xlen_t)i, Rf_mkCharCE(text, CE_UTF8));
  }
  UNPROTECT(1);
  return texts;
}

SEXP vt_data_set_weights(SEXP handle, SEXP weights) {
  if (TYPEOF(weights) != REALSXP) fail_as(VTEMPER_ERROR_ARGUMENT, "weights must be numbers");
  check(vtemper_data_set_weights(data_of(handle), REAL(weights), (int64_t)XLENGTH(weights)));
  return R_NilValue;
}

/* A list of the new handle and the number of tokens outside the names. */
SEXP vt_data_align(SEXP handle, SEXP names) {
  static const char* const parts[] = {"handle", "unknown"};
  SEXP pointer = PROTECT(new_pointer(&data_class, R_NilValue));
  SEXP list = PROTECT(named_list(2, parts));
  SET_VECTOR_ELT(list, 0, pointer);
  SET_VECTOR_ELT(list, 1, Rf_ScalarReal(0));
  vtemper_data* aligned = NULL;
  check(vtemper_data_align(data_of(handle), texts_of(names), (int64_t)XLENGTH(names), REAL(VECTOR_ELT(list, 1)),
                           &aligned));
  set_address(pointer, aligned);
  UNPROTECT(2);
  return list;
}

/* Counts or dense rows as a matrix of doubles, without names. */
SEXP vt_data_matrix(SEXP handle) {
  const vtemper_data* data = data_of(handle);
  int64_t rows, columns, length;
  check(vtemper_data_rows(data, &rows));
  check(vtemper_data_columns(data, &columns));
  if (rows > INT_MAX || columns > INT_MAX) {
    fail_as(VTEMPER_ERROR_UNSUPPORTED, "the data have more rows or columns than a matrix of R may have");
  }
  SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, (int)rows, (int)columns));
  double* const cells = REAL(matrix);
  for (int64_t i = 0; i < rows * columns; ++i) cells[i] = 0;
  int64_t* const places = (int64_t*)R_alloc((size_t)columns + 1, sizeof *places);
  double* const values = (double*)R_alloc((size_t)columns + 1, sizeof *values);
  for (int64_t row = 0; row < rows; ++row) {
    if (row % 1024 == 1023) R_CheckUserInterrupt();
    check(vtemper_data_row(data, row, places, values, columns, &length));
    for (int64_t i = 0; i < length; ++i) {
      cells[row + rows * places[i]] = values[i] != values[i] ? NA_REAL : values[i];
    }
  }
  UNPROTECT(1);
  return matrix;
}

/* `rows` count from 1. */
SEXP vt_data_select(SEXP handle, SEXP rows) {
  const R_xlen_t count = XLENGTH(rows);
  int64_t* indices = (int64_t*)R_alloc((size_t)count + 1, sizeof *indices);
  for (R_xlen_t i = 0; i < count; ++i) indices[i] = (int64_t)REAL(rows)[i] - 1;
  SEXP pointer = PROTECT(new_pointer(&data_class, R_NilValue));
  vtemper_data* selected = NULL;
  check(vtemper_data_select(data_of(handle), indices, (int64_t)count, &selected));
  set_address(pointer, selected);
  UNPROTECT(1);
  return pointer;
}

/* Rows `first` (from 1) to `last`, without a copy. */
SEXP vt_data_slice(SEXP handle, SEXP first, SEXP last) {
  const int64_t before = whole_of(first, "first") - 1;
  SEXP pointer = PROTECT(new_pointer(&data_class, R_NilValue));
  vtemper_data* slice = NULL;
  check(vtemper_data_slice(data_of(handle), before, whole_of(last, "last") - before, &slice));
  set_address(pointer, slice);
  UNPROTECT(1);
  return pointer;
}

typedef vtemper_status (*Split)(const vtemper_data*, double, uint64_t, vtemper_data**, vtemper_data**);

static SEXP split_by(Split split, SEXP handle, SEXP share, SEXP seed) {
  SEXP list = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(list, 0, new_pointer(&data_class, R_NilValue));
  SET_VECTOR_ELT(list, 1, new_pointer(&data_class, R_NilValue));
  vtemper_data *first = NULL, *second = NULL;
  check(split(data_of(handle), Rf_asReal(share), (uint64_t)whole_of(seed, "seed"), &first, &second));
  set_address(VECTOR_ELT(list, 0), first);
  set_address(VECTOR_ELT(list, 1), second);
  UNPROTECT(1);
  return list;
}

SEXP vt_data_split(SEXP handle, SEXP share, SEXP seed) {
  return split_by(vtemper_data_split, handle, share, seed);
}

SEXP vt_data_split_counts(SEXP handle, SEXP share, SEXP seed) {
  return split_by(vtemper_data_split_counts, handle, share, seed);
}
