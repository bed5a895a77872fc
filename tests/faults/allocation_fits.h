/* Scenarios with models and optimizers, for allocations that fail. */
#ifndef VTEMPER_TESTS_ALLOCATION_FITS_H
#define VTEMPER_TESTS_ALLOCATION_FITS_H

#include "allocation_scenarios.h"

static const char note_name[] = "a note with a long name, for memory",
                  note_text[] = "and a text that is long as well";

static vtemper_status use_model(handles* made, const scenario* of) {
  int64_t width = 0;
  int32_t count = 0;
  const char* text = NULL;
  TRY(data_of(of, &made->data[0]));
  TRY(vtemper_data_set_names(made->data[0], words, columns));
  TRY(model_of(made, of, &made->model[0]));
  TRY(vtemper_model_initialize(made->model[0], made->data[0], 7));
  mix_text(made, CALLED(vtemper_model_kind(made->model[0])));
  TRY(vtemper_model_option(made->model[0], "alpha", &text));
  mix_text(made, text);
  TRY(vtemper_model_used_options(made->model[0], &made->options[1]));
  TRY(vtemper_options_get_text(made->options[1], "alpha", &text));
  mix_text(made, text);
  TRY(vtemper_model_columns(made->model[0], &width));
  TRY(vtemper_model_name(made->model[0], width - 1, &text));
  mix_text(made, text);
  TRY(vtemper_model_get_strided(made->model[0], "lambda", room, 3 * columns, 1, 3));
  mix_reals(made, room, 3 * columns);
  for (int i = 0; i < 3 * columns; ++i) room[i] = 1 + i;
  TRY(vtemper_model_set(made->model[0], "lambda", room, 3 * columns));
  TRY(vtemper_model_set_note(made->model[0], note_name, note_text));
  TRY(vtemper_model_copy(made->model[0], &made->model[1]));
  TRY(vtemper_model_note_count(made->model[1], &count));
  for (int32_t i = 0; i < count; ++i) {
    const char* name = NULL;
    TRY(vtemper_model_note_name(made->model[1], i, &name));
    TRY(vtemper_model_note(made->model[1], name, &text));
    mix_text(made, name);
    mix_text(made, text);
  }
  return mix_model(made, made->model[1]);
}

static vtemper_status look_at_words(handles* made, const scenario* of) {
  int64_t best[6];
  double scores[6];
  TRY(start_fit(made, of));
  TRY(vtemper_optimizer_step(made->optimizer[0], 2, NULL));
  TRY(make_evaluation(made, of));
  TRY(vtemper_model_rank_words(made->model[0], 1, "frex", 2, best, scores));
  mix(made, best, 2 * sizeof *best);
  TRY(vtemper_model_rank_all_words(made->model[0], "relevance:0.3", 2, best, scores));
  mix(made, best, sizeof best);
  mix_reals(made, scores, 6);
  TRY(vtemper_model_rank_all_words(made->model[0], "label", 2, best, NULL));
  mix(made, best, sizeof best);
  TRY(vtemper_model_topic_map(made->model[0], "distance", room, 6));
  mix_reals(made, room, 6);
  static const char* const measures[] = {"coherence_umass", "coherence_npmi", "topic_diversity", "exclusivity"};
  for (size_t i = 0; i < sizeof measures / sizeof *measures; ++i) {
    TRY(vtemper_model_evaluate_topics(made->model[0], made->data[0], measures[i], made->options[2], room, 3));
    mix_reals(made, room, 3);
  }
  return VTEMPER_OK;
}

/** All that a kind infers and scores. */
static vtemper_status score(handles* made, const scenario* of) {
  static const char* const measures[] = {"predictive",   "perplexity", "elbo",         "log_normalizer",
                                         "log_marginal", "dead_units", "active_units", "coherence_npmi"};
  int32_t count = 0;
  TRY(start_fit(made, of));
  TRY(vtemper_optimizer_step(made->optimizer[0], 2, NULL));
  TRY(make_evaluation(made, of));
  TRY(vtemper_model_infer_count(made->model[0], made->data[0], &count));
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity quantity = {.struct_size = sizeof quantity};
    TRY(vtemper_model_infer_info(made->model[0], made->data[0], i, &quantity));
    const int64_t size = size_of(&quantity), rows = quantity.rank > 0 ? quantity.shape[0] : 1;
    TRY(vtemper_model_infer(made->model[0], made->data[0], quantity.name, made->options[2], room, size));
    mix_reals(made, room, size);
    TRY(vtemper_model_infer_strided(made->model[0], made->data[0], quantity.name, made->options[2], room, size, 1,
                                    rows));
    mix_reals(made, room, size);
  }
  for (size_t i = 0; i < sizeof measures / sizeof *measures; ++i) {
    double value = 0;
    const vtemper_status status =
        CALLED(vtemper_model_evaluate(made->model[0], made->data[0], NULL, measures[i], made->options[2], &value));
    if (status == VTEMPER_ERROR_MEMORY) return status;
    mix_number(made, status); /* a kind that has no such measure says so, whatever fails */
    mix_reals(made, &value, 1);
  }
  return VTEMPER_OK;
}

static vtemper_status run_to_the_end(handles* made, const scenario* of) {
  vtemper_report report = {.struct_size = sizeof report};
  const char* text = NULL;
  double bytes = 0;
  TRY(start_fit(made, of));
  TRY(vtemper_model_fit_memory(made->model[0], made->data[0], made->options[1], &bytes));
  TRY(vtemper_optimizer_set_monitor(made->optimizer[0], go_on, NULL));
  TRY(vtemper_optimizer_set_messages(made->optimizer[0], hear, NULL));
  CALLED(vtemper_set_interrupt(never, NULL));
  TRY(vtemper_optimizer_run(made->optimizer[0], &report));
  mix_report(made, &report);
  TRY(vtemper_optimizer_feed(made->optimizer[0], made->data[0], &report));
  TRY(vtemper_optimizer_report(made->optimizer[0], &report));
  mix_report(made, &report);
  TRY(vtemper_optimizer_option(made->optimizer[0], "method", &text));
  mix_text(made, text);
  TRY(vtemper_optimizer_used_options(made->optimizer[0], &made->options[2]));
  TRY(vtemper_options_get_text(made->options[2], "step_size", &text));
  mix_text(made, text);
  TRY(vtemper_optimizer_model(made->optimizer[0], &made->model[1]));
  mix_reals(made, &bytes, 1);
  return mix_model(made, made->model[1]);
}

/** Reads all quantities of an optimizer and writes those that may be set. */
static vtemper_status use_quantities(handles* made, const scenario* of) {
  int32_t count = 0, written_ones = 0;
  TRY(start_fit(made, of));
  TRY(vtemper_optimizer_step(made->optimizer[0], 3, NULL));
  TRY(vtemper_optimizer_quantity_count(made->optimizer[0], &count));
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity quantity = {.struct_size = sizeof quantity};
    TRY(vtemper_optimizer_quantity_info(made->optimizer[0], i, &quantity));
    const int64_t size = size_of(&quantity), rows = quantity.rank > 0 ? quantity.shape[0] : 1;
    const bool is_time = strstr(quantity.name, "seconds") != NULL;
    mix_text(made, quantity.name);
    TRY(vtemper_optimizer_get_strided(made->optimizer[0], quantity.name, room, size, 1, rows > 0 ? rows : 1));
    TRY(vtemper_optimizer_get(made->optimizer[0], quantity.name, room, size));
    if (!is_time) mix_reals(made, room, size);
    if (quantity.settable == 0) continue;
    TRY(vtemper_optimizer_set(made->optimizer[0], quantity.name, room, size));
    ++written_ones;
  }
  if (written_ones == 0) return VTEMPER_ERROR_INTERNAL; /* the scenario's own mistake */
  TRY(vtemper_optimizer_step(made->optimizer[0], 1, NULL));
  return mix_model(made, made->model[0]);
}

static vtemper_status step_by_halves(handles* made, const scenario* of) {
  static float statistics[room_size];
  int64_t length = 0;
  int32_t count = 0;
  vtemper_report report = {.struct_size = sizeof report};
  TRY(start_fit(made, of));
  TRY(vtemper_optimizer_statistics_length(made->optimizer[0], &length));
  TRY(vtemper_optimizer_statistics_count(made->optimizer[0], &count));
  for (int32_t i = 0; i < count; ++i) {
    vtemper_quantity quantity = {.struct_size = sizeof quantity};
    TRY(vtemper_optimizer_statistics_info(made->optimizer[0], i, &quantity));
    mix_text(made, quantity.name);
  }
  if (length > room_size) return VTEMPER_ERROR_INTERNAL;
  TRY(vtemper_optimizer_local_step(made->optimizer[0], NULL, room, length));
  TRY(vtemper_optimizer_global_step(made->optimizer[0], room, length, &report));
  mix_report(made, &report);
  TRY(vtemper_optimizer_local_step_at(made->optimizer[0], NULL, 0, 0, statistics, VTEMPER_FLOAT, length));
  TRY(vtemper_optimizer_global_step_of(made->optimizer[0], statistics, VTEMPER_FLOAT, length, &report));
  mix_report(made, &report);
  return mix_model(made, made->model[0]);
}

static vtemper_status use_buffers(handles* made, const scenario* of) {
  int64_t size = 0;
  TRY(start_fit(made, of));
  TRY(vtemper_optimizer_step(made->optimizer[0], 2, NULL));
  TRY(vtemper_model_save_buffer(made->model[0], room, sizeof room, &size));
  mix(made, room, (size_t)size);
  TRY(vtemper_model_load_buffer(room, size, &made->model[1]));
  TRY(vtemper_optimizer_save_buffer(made->optimizer[0], room, sizeof room, &size));
  TRY(vtemper_optimizer_load_buffer(room, size, made->data[0], &made->optimizer[1]));
  TRY(vtemper_optimizer_step(made->optimizer[1], 1, NULL));
  TRY(vtemper_optimizer_model(made->optimizer[1], &made->model[2]));
  TRY(mix_model(made, made->model[1]));
  return mix_model(made, made->model[2]);
}

/** Create, two steps, save, load, for a kind and a method. */
static vtemper_status fit_and_save(handles* made, const scenario* of) {
  vtemper_report report = {.struct_size = sizeof report};
  TRY(start_fit(made, of));
  TRY(vtemper_optimizer_step(made->optimizer[0], 2, &report));
  mix_report(made, &report);
  TRY(vtemper_optimizer_save(made->optimizer[0], output(1)));
  TRY(vtemper_model_save(made->model[0], output(0)));
  TRY(vtemper_model_load(output(0), &made->model[1]));
  TRY(mix_model(made, made->model[1]));
  const char* kind = NULL;
  TRY(vtemper_checkpoint_kind(output(1), &kind));
  mix_text(made, kind);
  TRY(vtemper_optimizer_load(output(1), made->data[0], &made->optimizer[1]));
  TRY(vtemper_optimizer_step(made->optimizer[1], 1, &report));
  mix_report(made, &report);
  TRY(vtemper_optimizer_model(made->optimizer[1], &made->model[2]));
  return mix_model(made, made->model[2]);
}

static vtemper_status fit_in_folder(handles* made, const scenario* of) {
  TRY(vtemper_options_create(&made->options[0]));
  TRY(vtemper_options_set(made->options[0], "topics", "3"));
  TRY(vtemper_options_set(made->options[0], "parameters_folder", written));
  return fit_and_save(made, of);
}

/** Tells the parent which methods each kind accepts: the others are refused by a message about both. */
static vtemper_status find_pairs(handles* made, const scenario* of) {
  (void)of;
  int32_t count = 0, method = -1;
  vtemper_option option = {.struct_size = sizeof option};
  TRY(vtemper_option_count("optimizer", &count));
  do {
    TRY(vtemper_option_info("optimizer", ++method, &option));
  } while (strcmp(option.name, "method") != 0);
  found->pairs = found->refused_pairs = 0;
  for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) {
    for (const char* next = option.choices; *next != '\0';) {
      const int length = (int)strcspn(next, " ");
      char name[name_size];
      snprintf(name, sizeof name, "%.*s", length, next);
      next += length + (next[length] == ' ');
      if (strcmp(name, "auto") == 0) continue;
      const scenario pair = {"pair", NULL, vtemper_model_kind_name(i), name, "1", false};
      handles own;
      memset(&own, 0, sizeof own);
      const vtemper_status status = start_fit(&own, &pair);
      release(&own);
      found->refused_pairs += status == VTEMPER_ERROR_UNSUPPORTED;
      if (status == VTEMPER_ERROR_UNSUPPORTED) continue;
      if (status != VTEMPER_OK) return status;
      mix_number(made, i);
      snprintf(found->kind[found->pairs], name_size, "%s", pair.kind);
      snprintf(found->method[found->pairs++], name_size, "%s", name);
    }
  }
  return VTEMPER_OK;
}

#endif
