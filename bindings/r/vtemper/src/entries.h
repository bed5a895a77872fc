/* The entry points for R: one per function of the library. */
#ifndef VTEMPER_R_ENTRIES_H
#define VTEMPER_R_ENTRIES_H

#include <Rinternals.h>

SEXP vt_build_info(void);
SEXP vt_version(void);
SEXP vt_kinds(void);
SEXP vt_kind_form(SEXP);
SEXP vt_option_table(SEXP);
SEXP vt_data_from_counts(SEXP, SEXP, SEXP, SEXP, SEXP, SEXP, SEXP);
SEXP vt_data_from_dense(SEXP, SEXP);
SEXP vt_data_from_sequences(SEXP, SEXP, SEXP, SEXP);
SEXP vt_first_no_count(SEXP, SEXP);
SEXP vt_data_read(SEXP, SEXP);
SEXP vt_data_write(SEXP, SEXP);
SEXP vt_data_convert(SEXP, SEXP, SEXP);
SEXP vt_data_info(SEXP);
SEXP vt_data_total(SEXP);
SEXP vt_data_set_names(SEXP, SEXP);
SEXP vt_data_names(SEXP);
SEXP vt_data_set_row_texts(SEXP, SEXP, SEXP);
SEXP vt_data_row_texts(SEXP, SEXP);
SEXP vt_data_row_fields(SEXP);
SEXP vt_data_notes(SEXP);
SEXP vt_data_set_weights(SEXP, SEXP);
SEXP vt_data_align(SEXP, SEXP);
SEXP vt_data_matrix(SEXP);
SEXP vt_data_select(SEXP, SEXP);
SEXP vt_data_slice(SEXP, SEXP, SEXP);
SEXP vt_data_split(SEXP, SEXP, SEXP);
SEXP vt_data_spread(SEXP, SEXP);
SEXP vt_data_read_spread(SEXP, SEXP, SEXP);
SEXP vt_group_open(SEXP);
SEXP vt_data_split_counts(SEXP, SEXP, SEXP);
SEXP vt_model_create(SEXP, SEXP);
SEXP vt_model_initialize(SEXP, SEXP, SEXP);
SEXP vt_model_kind(SEXP);
SEXP vt_model_option(SEXP, SEXP);
SEXP vt_model_used_options(SEXP);
SEXP vt_model_columns(SEXP);
SEXP vt_model_names(SEXP);
SEXP vt_model_parameters(SEXP);
SEXP vt_model_get(SEXP, SEXP);
SEXP vt_model_set(SEXP, SEXP, SEXP);
SEXP vt_model_note(SEXP, SEXP);
SEXP vt_model_notes(SEXP);
SEXP vt_model_copy(SEXP);
SEXP vt_model_infer_list(SEXP, SEXP);
SEXP vt_model_infer(SEXP, SEXP, SEXP, SEXP);
SEXP vt_model_evaluate(SEXP, SEXP, SEXP, SEXP, SEXP);
SEXP vt_model_rank_words(SEXP, SEXP, SEXP, SEXP);
SEXP vt_model_topic_map(SEXP, SEXP, SEXP);
SEXP vt_model_save(SEXP, SEXP);
SEXP vt_model_load(SEXP);
SEXP vt_model_to_bytes(SEXP);
SEXP vt_model_from_bytes(SEXP);
SEXP vt_optimizer_create(SEXP, SEXP, SEXP);
SEXP vt_optimizer_model(SEXP);
SEXP vt_optimizer_option(SEXP, SEXP);
SEXP vt_optimizer_used_options(SEXP);
SEXP vt_optimizer_run(SEXP, SEXP, SEXP);
SEXP vt_optimizer_feed(SEXP, SEXP);
SEXP vt_optimizer_report(SEXP);
SEXP vt_optimizer_quantities(SEXP);
SEXP vt_optimizer_get(SEXP, SEXP);
SEXP vt_optimizer_to_bytes(SEXP);
SEXP vt_optimizer_from_bytes(SEXP, SEXP);
SEXP vt_optimizer_lives(SEXP);
SEXP vt_optimizer_data(SEXP);
SEXP vt_check_interrupt(void);

#endif
