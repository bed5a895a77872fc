/* Models: parameters, local posteriors, scores, files. */

#include "vtemper_r.h"

#include <stdio.h>
#include <string.h>

#include "entries.h"

SEXP vt_model_create(SEXP kind, SEXP options) {
  const char* name = text_of(kind, "kind");
  SEXP set = PROTECT(options_from(name, options));
  SEXP pointer = PROTECT(new_pointer(&model_class, R_NilValue));
  SEXP handle = PROTECT(new_saved_handle(pointer));
  vtemper_model* model = NULL;
  check(vtemper_model_create(name, options_of(set), &model));
  set_address(pointer, model);
  UNPROTECT(3);
  return handle;
}

SEXP vt_model_initialize(SEXP handle, SEXP data, SEXP seed) {
  check(vtemper_model_initialize(model_of(handle), data_of(data), (uint64_t)whole_of(seed, "seed")));
  return R_NilValue;
}

SEXP vt_model_kind(SEXP handle) {
  return Rf_mkString(vtemper_model_kind(model_of(handle)));
}

SEXP vt_model_option(SEXP handle, SEXP name) {
  const char* text = "";
  check(vtemper_model_option(model_of(handle), text_of(name, "name"), &text));
  return Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8));
}

SEXP vt_model_used_options(SEXP handle) {
  vtemper_options* used = NULL;
  check(vtemper_model_used_options(model_of(handle), &used));
  return option_texts(used, vtemper_model_kind(model_of(handle)));
}

SEXP vt_model_columns(SEXP handle) {
  int64_t columns = 0;
  check(vtemper_model_columns(model_of(handle), &columns));
  return Rf_ScalarReal((double)columns);
}

SEXP vt_model_names(SEXP handle) {
  const vtemper_model* model = model_of(handle);
  int64_t columns = 0;
  const char* name = "";
  check(vtemper_model_columns(model, &columns));
  if (columns > 0) check(vtemper_model_name(model, 0, &name));
  if (name[0] == '\0') return R_NilValue;
  SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)columns));
  for (int64_t i = 0; i < columns; ++i) {
    check(vtemper_model_name(model, i, &name));
    SET_STRING_ELT(names, (R_xlen_t)i, Rf_mkCharCE(name, CE_UTF8));
  }
  UNPROTECT(1);
  return names;
}

SEXP vt_model_parameters(SEXP handle) {
  const vtemper_model* model = model_of(handle);
  int32_t count = 0;
  check(vtemper_model_parameter_count(model, &count));
  SEXP list = PROTECT(Rf_allocVector(VECSXP, count));
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity info = {.struct_size = sizeof info};
    check(vtemper_model_parameter_info(model, i, &info));
    SET_VECTOR_ELT(list, i, quantity_to_list(&info));
  }
  UNPROTECT(1);
  return list;
}

static vtemper_quantity parameter_named(const vtemper_model* model, const char* name) {
  int32_t count = 0;
  vtemper_quantity info = {.struct_size = sizeof info};
  check(vtemper_model_parameter_count(model, &count));
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_model_parameter_info(model, i, &info));
    if (strcmp(info.name, name) == 0) return info;
  }
  double none;
  check(vtemper_model_get(model, name, &none, 1)); /* fails, and names the nearest */
  return info;
}

/* Vectors and matrices; arrays of more dimensions row-major as a vector. */
SEXP vt_model_get(SEXP handle, SEXP name) {
  const vtemper_model* model = model_of(handle);
  const char* key = text_of(name, "name");
  const vtemper_quantity info = parameter_named(model, key);
  SEXP array = PROTECT(array_of(&info));
  const int64_t length = (int64_t)XLENGTH(array);
  if (info.rank == 2) {
    check(vtemper_model_get_strided(model, key, REAL(array), length, 1, column_stride_of(&info)));
  } else {
    check(vtemper_model_get(model, key, REAL(array), length));
  }
  UNPROTECT(1);
  return array;
}

/* `values` row-major. */
SEXP vt_model_set(SEXP handle, SEXP name, SEXP values) {
  if (TYPEOF(values) != REALSXP) fail_as(VTEMPER_ERROR_ARGUMENT, "a parameter is set from numbers");
  check(vtemper_model_set(model_of(handle), text_of(name, "name"), REAL(values), (int64_t)XLENGTH(values)));
  return R_NilValue;
}

/* "" if there is no note of that name. */
SEXP vt_model_note(SEXP handle, SEXP name) {
  const char* text = "";
  check(vtemper_model_note(model_of(handle), text_of(name, "name"), &text));
  return Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8));
}

/* Texts of all notes, named by their names. */
SEXP vt_model_notes(SEXP handle) {
  const vtemper_model* model = model_of(handle);
  int32_t count = 0;
  check(vtemper_model_note_count(model, &count));
  SEXP texts = PROTECT(named_texts(count));
  for (int32_t i = 0; i < count; ++i) {
    const char *name = "", *text = "";
    check(vtemper_model_note_name(model, i, &name));
    check(vtemper_model_note(model, name, &text));
    set_named_text(texts, i, name, text);
  }
  UNPROTECT(1);
  return texts;
}

SEXP vt_model_copy(SEXP handle) {
  SEXP pointer = PROTECT(new_pointer(&model_class, R_NilValue));
  SEXP made = PROTECT(new_saved_handle(pointer));
  vtemper_model* copy = NULL;
  check(vtemper_model_copy(model_of(handle), &copy));
  set_address(pointer, copy);
  UNPROTECT(2);
  return made;
}

SEXP vt_model_infer_list(SEXP handle, SEXP data) {
  const vtemper_model* model = model_of(handle);
  const vtemper_data* rows = data_of(data);
  int32_t count = 0;
  check(vtemper_model_infer_count(model, rows, &count));
  SEXP list = PROTECT(Rf_allocVector(VECSXP, count));
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity info = {.struct_size = sizeof info};
    check(vtemper_model_infer_info(model, rows, i, &info));
    SET_VECTOR_ELT(list, i, quantity_to_list(&info));
  }
  UNPROTECT(1);
  return list;
}

/* `index` from 1 into vt_model_infer_list. */
SEXP vt_model_infer(SEXP handle, SEXP data, SEXP index, SEXP options) {
  const vtemper_model* model = model_of(handle);
  const vtemper_data* rows = data_of(data);
  vtemper_quantity info = {.struct_size = sizeof info};
  check(vtemper_model_infer_info(model, rows, Rf_asInteger(index) - 1, &info));
  SEXP set = PROTECT(options_from("evaluate", options));
  SEXP array = PROTECT(array_of(&info));
  const vtemper_options* settings = options_of(set);
  const int64_t length = (int64_t)XLENGTH(array);
  long_call_begins();
  const vtemper_status status = info.rank == 2
                                    ? vtemper_model_infer_strided(model, rows, info.name, settings, REAL(array),
                                                                  length, 1, column_stride_of(&info))
                                    : vtemper_model_infer(model, rows, info.name, settings, REAL(array), length);
  long_call_ends();
  check_long(status);
  UNPROTECT(2);
  return array;
}

/* heldout may be NULL. */
SEXP vt_model_evaluate(SEXP handle, SEXP observed, SEXP heldout, SEXP measure, SEXP options) {
  const vtemper_model* model = model_of(handle);
  const vtemper_data* rows = data_of(observed);
  const vtemper_data* others = heldout == R_NilValue ? NULL : data_of(heldout);
  const char* name = text_of(measure, "measure");
  SEXP set = PROTECT(options_from("evaluate", options));
  const vtemper_options* settings = options_of(set);
  double score = 0;
  long_call_begins();
  const vtemper_status status = vtemper_model_evaluate(model, rows, others, name, settings, &score);
  long_call_ends();
  check_long(status);
  UNPROTECT(1);
  return Rf_ScalarReal(score);
}

/* `topic` and the indices from 1. */
SEXP vt_model_rank_words(SEXP handle, SEXP topic, SEXP how, SEXP n) {
  static const char* const names[] = {"index", "score"};
  const R_xlen_t count = (R_xlen_t)Rf_asInteger(n);
  if (count < 1) fail_as(VTEMPER_ERROR_ARGUMENT, "the number of words must be 1 or more");
  int64_t* indices = (int64_t*)R_alloc((size_t)count, sizeof *indices);
  SEXP list = PROTECT(named_list(2, names));
  SET_VECTOR_ELT(list, 0, Rf_allocVector(REALSXP, count));
  SET_VECTOR_ELT(list, 1, Rf_allocVector(REALSXP, count));
  check(vtemper_model_rank_words(model_of(handle), (int64_t)Rf_asInteger(topic) - 1, text_of(how, "rank"),
                                 (int64_t)count, indices, REAL(VECTOR_ELT(list, 1))));
  for (R_xlen_t i = 0; i < count; ++i) REAL(VECTOR_ELT(list, 0))[i] = (double)indices[i] + 1;
  UNPROTECT(1);
  return list;
}

/* [topics x 2] */
SEXP vt_model_topic_map(SEXP handle, SEXP topics, SEXP by) {
  const vtemper_model* model = model_of(handle);
  const int count = Rf_asInteger(topics);
  const char* dissimilarity = text_of(by, "by");
  double* places = (double*)R_alloc(2 * (size_t)count, sizeof *places);
  long_call_begins();
  const vtemper_status status = vtemper_model_topic_map(model, dissimilarity, places, 2 * (int64_t)count);
  long_call_ends();
  check_long(status);
  SEXP map = PROTECT(Rf_allocMatrix(REALSXP, count, 2));
  for (int k = 0; k < count; ++k) {
    for (int axis = 0; axis < 2; ++axis) REAL(map)[k + (R_xlen_t)count * axis] = places[2 * k + axis];
  }
  UNPROTECT(1);
  return map;
}

SEXP vt_model_save(SEXP handle, SEXP path) {
  check(vtemper_model_save(model_of(handle), path_of(path, "path")));
  return R_NilValue;
}

SEXP vt_model_load(SEXP path) {
  SEXP pointer = PROTECT(new_pointer(&model_class, R_NilValue));
  SEXP handle = PROTECT(new_saved_handle(pointer));
  vtemper_model* model = NULL;
  check(vtemper_model_load(path_of(path, "path"), &model));
  set_address(pointer, model);
  UNPROTECT(2);
  return handle;
}

SEXP vt_model_to_bytes(SEXP handle) {
  const vtemper_model* model = model_of(handle);
  int64_t size = 0;
  check(vtemper_model_save_buffer(model, NULL, 0, &size));
  SEXP bytes = PROTECT(Rf_allocVector(RAWSXP, (R_xlen_t)size));
  check(vtemper_model_save_buffer(model, RAW(bytes), size, &size));
  UNPROTECT(1);
  return bytes;
}

SEXP vt_model_from_bytes(SEXP bytes) {
  if (TYPEOF(bytes) != RAWSXP) fail_as(VTEMPER_ERROR_ARGUMENT, "bytes must be a raw vector");
  SEXP pointer = PROTECT(new_pointer(&model_class, R_NilValue));
  SEXP handle = PROTECT(new_saved_handle(pointer));
  vtemper_model* model = NULL;
  check(vtemper_model_load_buffer(RAW(bytes), (int64_t)XLENGTH(bytes), &model));
  set_address(pointer, model);
  UNPROTECT(2);
  return handle;
}
