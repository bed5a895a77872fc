/* Registration: R calls these and nothing else of this library. */

#include "vtemper_r.h"

#include <R_ext/Rdynload.h>

#include "entries.h"

#define ENTRY(name, arguments) \
  { #name, (DL_FUNC)&name, arguments }

static const R_CallMethodDef entries[] = {
    ENTRY(vt_build_info, 0),
    ENTRY(vt_version, 0),
    ENTRY(vt_kinds, 0),
    ENTRY(vt_kind_form, 1),
    ENTRY(vt_option_table, 1),
    ENTRY(vt_data_from_counts, 7),
    ENTRY(vt_data_from_dense, 2),
    ENTRY(vt_data_from_sequences, 4),
    ENTRY(vt_first_no_count, 2),
    ENTRY(vt_data_read, 2),
    ENTRY(vt_data_write, 2),
    ENTRY(vt_data_convert, 3),
    ENTRY(vt_data_info, 1),
    ENTRY(vt_data_total, 1),
    ENTRY(vt_data_set_names, 2),
    ENTRY(vt_data_names, 1),
    ENTRY(vt_data_set_row_texts, 3),
    ENTRY(vt_data_row_texts, 2),
    ENTRY(vt_data_row_fields, 1),
    ENTRY(vt_data_notes, 1),
    ENTRY(vt_data_set_weights, 2),
    ENTRY(vt_data_align, 2),
    ENTRY(vt_data_matrix, 1),
    ENTRY(vt_data_select, 2),
    ENTRY(vt_data_slice, 3),
    ENTRY(vt_data_split, 3),
    ENTRY(vt_data_spread, 2),
    ENTRY(vt_data_read_spread, 3),
    ENTRY(vt_group_open, 1),
    ENTRY(vt_data_split_counts, 3),
    ENTRY(vt_model_create, 2),
    ENTRY(vt_model_initialize, 3),
    ENTRY(vt_model_kind, 1),
    ENTRY(vt_model_option, 2),
    ENTRY(vt_model_used_options, 1),
    ENTRY(vt_model_columns, 1),
    ENTRY(vt_model_names, 1),
    ENTRY(vt_model_parameters, 1),
    ENTRY(vt_model_get, 2),
    ENTRY(vt_model_set, 3),
    ENTRY(vt_model_note, 2),
    ENTRY(vt_model_notes, 1),
    ENTRY(vt_model_copy, 1),
    ENTRY(vt_model_infer_list, 2),
    ENTRY(vt_model_infer, 4),
    ENTRY(vt_model_evaluate, 5),
    ENTRY(vt_model_rank_words, 4),
    ENTRY(vt_model_topic_map, 3),
    ENTRY(vt_model_save, 2),
    ENTRY(vt_model_load, 1),
    ENTRY(vt_model_to_bytes, 1),
    ENTRY(vt_model_from_bytes, 1),
    ENTRY(vt_optimizer_create, 3),
    ENTRY(vt_optimizer_model, 1),
    ENTRY(vt_optimizer_option, 2),
    ENTRY(vt_optimizer_used_options, 1),
    ENTRY(vt_optimizer_run, 3),
    ENTRY(vt_optimizer_feed, 2),
    ENTRY(vt_optimizer_report, 1),
    ENTRY(vt_optimizer_quantities, 1),
    ENTRY(vt_optimizer_get, 2),
    ENTRY(vt_optimizer_to_bytes, 1),
    ENTRY(vt_optimizer_from_bytes, 2),
    ENTRY(vt_optimizer_lives, 1),
    ENTRY(vt_optimizer_data, 1),
    ENTRY(vt_check_interrupt, 0),
    {NULL, NULL, 0},
};

void R_init_vtemper(DllInfo* dll) {
  saved_handles_init(dll);
  R_registerRoutines(dll, NULL, entries, NULL, NULL);
  R_useDynamicSymbols(dll, FALSE);
  R_forceSymbols(dll, TRUE);
}
