/* Scenarios that together call every function of the library, for allocations that fail. */
#ifndef VTEMPER_TESTS_ALLOCATION_SCENARIOS_H
#define VTEMPER_TESTS_ALLOCATION_SCENARIOS_H

#include "allocation_inputs.h"

static int never(void* user) {
  (void)user;
  return 0;
}

static int go_on(const vtemper_report* report, void* user) {
  (void)user;
  return report->iteration < 0;
}

static void hear(int32_t level, const char* text, void* user) {
  (void)level, (void)text, (void)user;
}

static void let_go(void* user) {
  ++*(int*)user;
}

static vtemper_status describe(handles* made, const scenario* of) {
  (void)of;
  mix_text(made, CALLED(vtemper_version()));
  mix_number(made, CALLED(vtemper_version_number()));
  mix_text(made, CALLED(vtemper_status_name(VTEMPER_ERROR_MEMORY)));
  mix_number(made, CALLED(vtemper_last_error()) != NULL);
  CALLED(vtemper_set_interrupt(never, NULL));
  const int32_t kinds = CALLED(vtemper_model_kind_count());
  mix_number(made, kinds);
  for (int32_t i = -2; i < kinds; ++i) { /* -2 and -1: the other subjects */
    const char* subject = i == -2 ? "optimizer" : "evaluate";
    int32_t count = 0;
    if (i >= 0) {
      vtemper_data_form form;
      subject = CALLED(vtemper_model_kind_name(i));
      mix_text(made, subject);
      mix_text(made, CALLED(vtemper_model_kind_description(i)));
      TRY(vtemper_model_kind_form(subject, &form));
      mix_number(made, form);
    }
    TRY(vtemper_option_count(subject, &count));
    for (int32_t j = 0; j < count; ++j) {
      vtemper_option option = {.struct_size = sizeof option};
      TRY(vtemper_option_info(subject, j, &option));
      mix_text(made, option.name);
      mix_text(made, option.default_text);
      mix_text(made, option.choices);
      mix_text(made, option.description);
    }
  }
  return VTEMPER_OK;
}

/** The text begins with the version, even if there is no memory for the rest, or for OpenBLAS, whose name is in it.
 */
static vtemper_status describe_build(handles* made, const scenario* of) {
  (void)of;
  const char* const text = CALLED(vtemper_build_info());
  const bool is_as_expected = strncmp(text, "vtemper ", 8) == 0 && strstr(text, vtemper_version()) == text + 8;
  mix_number(made, is_as_expected);
  return is_as_expected ? VTEMPER_OK : VTEMPER_ERROR_INTERNAL;
}

static vtemper_status set_options(handles* made, const scenario* of) {
  static const char* const names[] = {"a name that does not fit into a small string", "text", "integer", "real",
                                      "reals"};
  (void)of;
  TRY(vtemper_options_create(&made->options[0]));
  TRY(vtemper_options_set(made->options[0], names[0], "a text that does not fit either"));
  TRY(vtemper_options_set_text(made->options[0], names[1], "another text that is as long as the first"));
  TRY(vtemper_options_set_integer(made->options[0], names[2], 1234567890123456789));
  TRY(vtemper_options_set_real(made->options[0], names[3], -1.2345678901234567e-200));
  TRY(vtemper_options_set_reals(made->options[0], names[4], (const double[]){0.1, 0.2, 0.3, 0.4}, 4));
  TRY(vtemper_options_copy(made->options[0], &made->options[1]));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char* text = NULL;
    TRY(vtemper_options_get_text(made->options[1], names[i], &text));
    mix_text(made, text);
  }
  return VTEMPER_OK;
}

static vtemper_status attach(handles* made, const scenario* of) {
  static const char* const texts[] = {"the first row, with a long name", "", "the third row, with a long name"};
  static const double weights[] = {1, 0.5, 2};
  int32_t count = 0;
  const char* text = NULL;
  (void)of;
  TRY(make_data(VTEMPER_COUNTS, 3, &made->data[0]));
  TRY(vtemper_data_set_names(made->data[0], words, columns));
  TRY(vtemper_data_set_weights(made->data[0], weights, 3));
  double read_weights[3];
  TRY(vtemper_data_weights(made->data[0], read_weights, 3));
  mix_reals(made, read_weights, 3);
  TRY(vtemper_data_set_row_texts(made->data[0], "name", texts, 3));
  TRY(vtemper_data_set_row_texts(made->data[0], "date_or_another_long_name", texts, 3));
  TRY(vtemper_data_set_note(made->data[0], "a note with a long name, for memory", "and a text that is long as well"));
  TRY(vtemper_data_name(made->data[0], 4, &text));
  mix_text(made, text);
  TRY(vtemper_data_row_field_count(made->data[0], &count));
  for (int32_t i = 0; i < count; ++i) {
    const char* field = NULL;
    TRY(vtemper_data_row_field_name(made->data[0], i, &field));
    TRY(vtemper_data_row_text(made->data[0], field, 2, &text));
    mix_text(made, field);
    mix_text(made, text);
  }
  TRY(vtemper_data_note_count(made->data[0], &count));
  for (int32_t i = 0; i < count; ++i) {
    const char* name = NULL;
    TRY(vtemper_data_note_name(made->data[0], i, &name));
    TRY(vtemper_data_note(made->data[0], name, &text));
    mix_text(made, name);
    mix_text(made, text);
  }
  return mix_data(made, made->data[0]);
}

static vtemper_status borrow(handles* made, const scenario* of) {
  static const int64_t offsets[] = {0, 1, 2, 3};
  static const int32_t indices[] = {2, 1, 0};
  static const double values[] = {1, 2, 3};
  int released = 0;
  (void)of;
  const vtemper_status status =
      CALLED(vtemper_data_from_counts(VTEMPER_BY_COLUMNS, 3, 3, offsets, VTEMPER_INT64, indices, VTEMPER_INT32,
                                      values, VTEMPER_DOUBLE, 0, VTEMPER_BORROW, let_go, &released, &made->data[0]));
  /* Transposed, so they are not in use after the call; not released by a call that fails. */
  if (released != (status == VTEMPER_OK)) return VTEMPER_ERROR_INTERNAL;
  TRY(status);
  TRY(vtemper_data_from_sequences(3, 3, offsets, VTEMPER_INT64, indices, VTEMPER_INT32, 0, VTEMPER_BORROW, NULL, NULL,
                                  &made->data[1]));
  TRY(vtemper_data_from_dense(1, 3, values, VTEMPER_DOUBLE, 3, 1, VTEMPER_BORROW, NULL, NULL, &made->data[2]));
  for (int i = 0; i < 3; ++i) TRY(mix_data(made, made->data[i]));
  return VTEMPER_OK;
}

static vtemper_status divide(handles* made, const scenario* of) {
  static const int64_t chosen[] = {5, 2, 2};
  static const char* const reference[] = {"four", "a longer name than fits into a small one", "a name of its own"};
  int64_t first = 0, all = 0;
  double unknown = 0;
  (void)of;
  TRY(make_data(VTEMPER_COUNTS, few_rows, &made->data[0]));
  TRY(vtemper_data_set_names(made->data[0], words, columns));
  TRY(vtemper_data_select(made->data[0], chosen, 3, &made->data[1]));
  TRY(vtemper_data_slice(made->data[0], 3, 7, &made->data[2]));
  TRY(vtemper_data_set_part(made->data[2], 3, few_rows));
  TRY(vtemper_data_part(made->data[2], &first, &all));
  TRY(vtemper_data_align(made->data[0], reference, 3, &unknown, &made->data[3]));
  TRY(vtemper_data_split(made->data[0], 0.3, 1, &made->data[4], &made->data[5]));
  mix_number(made, first + 1000 * all);
  mix_reals(made, &unknown, 1);
  for (int i = 1; i < 6; ++i) TRY(mix_data(made, made->data[i]));
  return VTEMPER_OK;
}

static vtemper_status split_counts(handles* made, const scenario* of) {
  (void)of;
  TRY(make_data(VTEMPER_COUNTS, few_rows, &made->data[0]));
  TRY(vtemper_data_split_counts(made->data[0], 0.5, 1, &made->data[1], &made->data[2]));
  TRY(mix_data(made, made->data[1]));
  return mix_data(made, made->data[2]);
}

static vtemper_status write_and_map(handles* made, const scenario* of) {
  (void)of;
  TRY(make_data(VTEMPER_COUNTS, few_rows, &made->data[0]));
  TRY(vtemper_data_set_names(made->data[0], words, columns));
  TRY(vtemper_data_set_note(made->data[0], "a note with a long name, for memory", "and a text that is long as well"));
  TRY(vtemper_data_write(made->data[0], output(2)));
  TRY(vtemper_data_read(output(2), NULL, &made->data[1]));
  TRY(vtemper_data_verify(made->data[1]));
  TRY(vtemper_data_slice(made->data[1], 3, 7, &made->data[2]));
  TRY(mix_data(made, made->data[1]));
  return mix_data(made, made->data[2]);
}

/** A file is read, converted and mapped; its second half is read too if rows are lines. */
static vtemper_status read_file(handles* made, const scenario* of) {
  const bool has_lines = strcmp(of->method, "ldac") == 0 || strcmp(of->method, "csv") == 0 ||
                         strcmp(of->method, "sequences") == 0 || strcmp(of->method, "labelled_sequences") == 0;
  const bool is_renamed = strcmp(of->method, "ldac") == 0;
  TRY(vtemper_data_read(path_of(of->kind), of->method, &made->data[0]));
  TRY(vtemper_data_convert(path_of(of->kind), of->method, is_renamed ? words : NULL, is_renamed ? columns : 0,
                           output(2)));
  TRY(vtemper_data_read(output(2), "mapped", &made->data[1]));
  TRY(vtemper_data_verify(made->data[1]));
  if (has_lines) {
    TRY(vtemper_data_read_part(path_of(of->kind), of->method, 1, 2, &made->data[2]));
    TRY(mix_data(made, made->data[2]));
  }
  TRY(mix_data(made, made->data[0]));
  return mix_data(made, made->data[1]);
}

/** A group of one rank, whose sums need no functions. */
static vtemper_status spread(handles* made, const scenario* of) {
  int32_t rank = -1, ranks = -1;
  double score = 0;
  vtemper_report report = {.struct_size = sizeof report};
  TRY(vtemper_group_create(0, 1, NULL, NULL, NULL, NULL, &made->group[0]));
  TRY(vtemper_group_share(made->group[0], &made->group[1]));
  TRY(vtemper_group_rank(made->group[1], &rank, &ranks));
  TRY(data_of(of, &made->data[0]));
  TRY(vtemper_data_spread(made->data[0], made->group[1], &made->data[1]));
  TRY(model_of(made, of, &made->model[0]));
  TRY(make_evaluation(made, of));
  TRY(vtemper_options_copy(made->options[2], &made->options[1]));
  TRY(vtemper_optimizer_create(made->model[0], made->data[1], made->options[1], &made->optimizer[0]));
  TRY(vtemper_optimizer_step(made->optimizer[0], 2, &report));
  TRY(vtemper_model_evaluate(made->model[0], made->data[1], NULL, "elbo", made->options[2], &score));
  mix_number(made, rank + 1000 * ranks);
  mix_report(made, &report);
  mix_reals(made, &score, 1);
  return mix_model(made, made->model[0]);
}

#endif
