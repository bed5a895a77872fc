#include "continued_model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "failure.h"
#include "library_options.h"
#include "numbers.h"
#include "orientation.h"
#include "outside_text.h"
#include "parameter.h"
#include "ranks.h"
#include "text_corpus.h"
#include "text_options.h"
#include "transpose.h"

/* ---- New words ---- */

static bool model_has_names(const vtemper_model* model) {
  const char* name = "";
  if (model_columns(model) > 0) check(vtemper_model_name(model, 0, &name));
  return *name != '\0';
}

static int by_text(const void* a, const void* b) {
  return strcmp(*(const char* const*)a, *(const char* const*)b);
}

/* Reorders the columns of the data like the model's, followed by columns that the model lacks. */
static vtemper_data* align_with_new_words(vtemper_data* data, const vtemper_model* model) {
  const int64_t known = model_columns(model), columns = corpus_columns(data);
  const char** names = allocate((size_t)(known + columns), sizeof *names);
  const char** sorted = allocate((size_t)known, sizeof *sorted);
  for (int64_t j = 0; j < known; ++j) check(vtemper_model_name(model, j, &names[j]));
  memcpy(sorted, names, (size_t)known * sizeof *names);
  qsort(sorted, (size_t)known, sizeof *sorted, by_text);
  int64_t count = known;
  for (int64_t j = 0; j < columns; ++j) {
    const char* name;
    check(vtemper_data_name(data, j, &name));
    if (!bsearch(&name, sorted, (size_t)known, sizeof *sorted, by_text)) names[count++] = name;
  }
  double unknown_tokens;
  vtemper_data* aligned;
  check(vtemper_data_align(data, names, count, &unknown_tokens, &aligned));
  vtemper_data_destroy(data);
  free(sorted);
  free(names);
  return aligned;
}

/* The option with the prior of words under the components; NULL for kinds that have none. */
static const char* option_of_prior(const vtemper_model* model) {
  const char* kind = vtemper_model_kind(model);
  return strcmp(kind, "lda") == 0 ? "eta" : strcmp(kind, "hidden_markov") == 0 ? "emission_prior" : NULL;
}

/* The numbers of an option's text, of which there are `count`. */
static double* option_numbers(const char* text, int64_t* count) {
  *count = 1;
  for (const char* comma = text; (comma = strchr(comma, ',')); ++comma) ++*count;
  double* numbers = allocate((size_t)*count, sizeof *numbers);
  for (int64_t i = 0; i < *count; ++i) {
    char* end;
    numbers[i] = strtod(text, &end);
    text = end + strspn(end, " \t,");
  }
  return numbers;
}

/* A prior with one number per component and word is extended to `columns` words: new ones have the mean of their
 * component. */
static void widen_prior(vtemper_options* options, const vtemper_model* model, int64_t columns) {
  const char* name = option_of_prior(model);
  if (!name) return;
  int64_t count;
  const char* text;
  check(vtemper_model_option(model, name, &text));
  double* given = option_numbers(text, &count);
  const int64_t known = model_columns(model), components = count / known;
  if (count > 1) {
    double* wide = allocate((size_t)(components * columns), sizeof *wide);
    for (int64_t k = 0; k < components; ++k) {
      double sum = 0;
      for (int64_t j = 0; j < known; ++j) sum += wide[k * columns + j] = given[k * known + j];
      for (int64_t j = known; j < columns; ++j) wide[k * columns + j] = sum / (double)known;
    }
    check(vtemper_options_set_reals(options, name, wide, components * columns));
    free(wide);
  }
  free(given);
}

/* An empty model of the same kind and options, for `columns` words. */
static vtemper_model* model_of_same_options(const vtemper_model* model, int64_t columns) {
  const char* kind = vtemper_model_kind(model);
  vtemper_options* options;
  check(vtemper_options_create(&options));
  vtemper_option info = {.struct_size = sizeof info};
  int32_t count;
  check(vtemper_option_count(kind, &count));
  for (int32_t i = 0; i < count; ++i) {
    const char* text;
    check(vtemper_option_info(kind, i, &info));
    check(vtemper_model_option(model, info.name, &text));
    if (strcmp(text, "auto") != 0) check(vtemper_options_set(options, info.name, text));
  }
  widen_prior(options, model, columns);
  vtemper_model* same;
  check(vtemper_model_create(kind, options, &same));
  vtemper_options_destroy(options);
  return same;
}

/* The prior of words under the components: one number (count 1), or one per component and word. */
static double* priors_of_words(const vtemper_model* model, int64_t* count) {
  vtemper_quantity eta;
  if (parameter_find(model, "eta", &eta)) {
    *count = eta.shape[0] * eta.shape[1];
    return parameter_values(model, &eta);
  }
  vtemper_options* used; /* without "auto" */
  check(vtemper_model_used_options(model, &used));
  double* priors = option_numbers(option_in_use(used, option_of_prior(model)), count);
  vtemper_options_destroy(used);
  return priors;
}

/* Whether words without data have the prior as their values of the parameter; else the initial ones serve as well. */
static bool begins_at_prior(const vtemper_model* model, const char* parameter) {
  return option_of_prior(model) && (strcmp(parameter, "lambda") == 0 || strcmp(parameter, "emission") == 0);
}

/* Copies a parameter; columns beyond those of `from` start at the prior. */
static void carry_parameter(const vtemper_model* from, vtemper_model* to, const vtemper_quantity* old,
                            const vtemper_quantity* new) {
  const int64_t old_columns = model_columns(from), new_columns = model_columns(to);
  int64_t old_size = 1, new_size = 1;
  for (int i = 0; i < old->rank; ++i) old_size *= old->shape[i];
  for (int i = 0; i < new->rank; ++i) new_size *= new->shape[i];
  double* values = allocate((size_t)old_size, sizeof *values);
  check(vtemper_model_get(from, old->name, values, old_size));
  if (old_size == new_size) {
    check(vtemper_model_set(to, new->name, values, new_size));
  } else {
    double* wide = allocate((size_t)new_size, sizeof *wide);
    int64_t count = 0;
    double* priors = begins_at_prior(to, new->name) ? priors_of_words(to, &count) : NULL;
    check(vtemper_model_get(to, new->name, wide, new_size));
    for (int64_t i = 0; i < new_size; ++i) {
      const int64_t row = i / new_columns, column = i % new_columns;
      if (column < old_columns) {
        wide[i] = values[row * old_columns + column];
      } else if (priors) {
        wide[i] = priors[count == 1 ? 0 : i];
      }
    }
    free(priors);
    check(vtemper_model_set(to, new->name, wide, new_size));
    free(wide);
  }
  free(values);
}

/* The model extended to the columns of the data, which begin with its own. Takes ownership of `model`. */
static vtemper_model* widen_model(vtemper_model* model, const vtemper_data* data) {
  vtemper_model* wide = model_of_same_options(model, corpus_columns(data));
  check(vtemper_model_initialize(wide, data, 0));
  vtemper_quantity old = {.struct_size = sizeof old}, new = {.struct_size = sizeof new};
  int32_t count;
  check(vtemper_model_parameter_count(wide, &count));
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_model_parameter_info(model, i, &old));
    check(vtemper_model_parameter_info(wide, i, &new));
    if (new.settable) carry_parameter(model, wide, &old, &new);
  }
  check(vtemper_model_note_count(model, &count));
  for (int32_t i = 0; i < count; ++i) {
    const char *name, *text;
    check(vtemper_model_note_name(model, i, &name));
    check(vtemper_model_note(model, name, &text));
    check(vtemper_model_set_note(wide, name, text));
  }
  vtemper_model_destroy(model);
  return wide;
}

static vtemper_data* read_data(const Arguments* arguments, const vtemper_model* model, const char* model_path) {
  const char* path = arguments->operands[0];
  if (!argument(arguments, "text")) {
    return divide_as_asked(arguments, path, argument(arguments, "vocabulary"));
  }
  const TextRequest request = text_request(arguments, path);
  return text_corpus_extend(&request, model, model_path);
}

void refuse_lost_vocabulary(const Arguments* arguments, const vtemper_model* model, const char* path) {
  if (!argument(arguments, "vocabulary") || model_has_names(model)) return;
  fail("%s has no names for its columns and gets none later, so leave --vocabulary out", path);
}

vtemper_model* model_to_continue(const Arguments* arguments, vtemper_data** data) {
  const char* path = argument(arguments, "continue");
  vtemper_model* model = model_read(path);
  refuse_lost_vocabulary(arguments, model, path);
  corpus_needed_by(vtemper_model_kind(model), argument(arguments, "quiet") != NULL);
  *data = read_data(arguments, model, path);
  if (!argument(arguments, "text")) require_orientation(arguments, *data, arguments->operands[0], model, true);
  vtemper_data_form form, wanted;
  check(vtemper_data_form_of(*data, &form));
  check(vtemper_model_kind_form(vtemper_model_kind(model), &wanted));
  if (form == VTEMPER_DENSE || form != wanted) return model; /* no words of the model: the library compares them */
  const int64_t known = model_columns(model);
  double unknown_tokens;
  if (model_has_names(model) && data_has_names(*data)) {
    *data = align_with_new_words(*data, model);
  } else {
    *data = corpus_for_model(*data, model, &unknown_tokens);
  }
  const int64_t columns = corpus_columns(*data);
  if (columns == known) return model;
  if (!model_has_names(model) && data_has_names(*data)) {
    fail("%s has no names for its %" PRId64 " %s, so the %" PRId64 " of %s cannot be compared with %s", path, known,
         plural(known == 1, "column", "columns"), columns, arguments->operands[0], plural(known == 1, "it", "them"));
  }
  model = widen_model(model, *data); /* or refuses them */
  if (!argument(arguments, "quiet")) {
    char words[NUMBER_LENGTH];
    const bool one = columns - known == 1;
    outside_printf(stderr, "%s: %s %s new to the model and %s at its prior\n", arguments->operands[0],
                   format_count(words, columns - known), plural(one, "word is", "words are"),
                   plural(one, "starts", "start"));
  }
  return model;
}

/* ---- The run ---- */

static void set_unless_given(vtemper_options* options, const Arguments* arguments, const char* name, double value) {
  if (!named_option(arguments, name)) check(vtemper_options_set_real(options, name, value));
}

/* Rows of a step, which the library chooses where --batch-size does not: an optimizer tells, and takes little memory
 * before its first step. */
static double rows_of_step(const vtemper_options* options, vtemper_model* model, const vtemper_data* data) {
  vtemper_optimizer* trial;
  check(vtemper_optimizer_create(model, data, options, &trial));
  const int64_t batch = integer_in_use(trial, "batch_size");
  vtemper_optimizer_destroy(trial);
  return (double)batch;
}

/* Number of rows represented by the topics: their total tokens divided by the tokens per row. */
static double rows_of_topics(const vtemper_model* model, double tokens_of_row) {
  vtemper_quantity info = {.struct_size = sizeof info};
  check(vtemper_model_parameter_info(model, 0, &info)); /* lambda [topics x words] */
  const int64_t topics = info.shape[0];
  double* tokens = allocate((size_t)topics, sizeof *tokens);
  double total = 0;
  check(vtemper_model_get(model, "tokens", tokens, topics));
  for (int64_t k = 0; k < topics; ++k) total += tokens[k];
  free(tokens);
  return tokens_of_row > 0 ? fmax(0, total / tokens_of_row) : 0;
}

/* Rescales the rows represented by the topics: multiplies lambda - eta by `factor`. */
static void scale_topics(vtemper_model* model, double factor) {
  vtemper_quantity info, of_eta;
  if (!parameter_find(model, "lambda", &info) || !parameter_find(model, "eta", &of_eta))
    fail("the model has no topics");
  const int64_t size = info.shape[0] * info.shape[1];
  double* lambda = parameter_values(model, &info);
  double* eta = parameter_values(model, &of_eta);
  const int64_t step = of_eta.rank == 0 ? 0 : 1; /* one shared value, or one per lambda */
  for (int64_t i = 0; i < size; ++i) lambda[i] = eta[step * i] + factor * fmax(0, lambda[i] - eta[step * i]);
  check(vtemper_model_set(model, "lambda", lambda, size));
  free(eta);
  free(lambda);
}

void continue_options(vtemper_options* options, const Arguments* arguments, vtemper_model* model,
                      const vtemper_data* data) {
  if (named_option(arguments, "method")) return; /* the given method runs unchanged, from the model's current state */
  const bool is_topics = strcmp(vtemper_model_kind(model), "lda") == 0;
  check(vtemper_options_set(options, "method", is_topics ? "svi" : "vi"));
  const bool length_given = named_option(arguments, "max_passes") || named_option(arguments, "max_iterations") ||
                            named_option(arguments, "time");
  if (!is_topics || named_option(arguments, "step_size")) return;
  if (!length_given) check(vtemper_options_set_real(options, "max_passes", 1));
  /* With rho_t = 1 / (tau + t) the result is the average over all steps of `batch` rows each, including tau - 1 steps
   * for the rows that the topics represent. If the data have as many rows, these are taken to be all rows; fewer rows
   * are added to the earlier ones. */
  check(vtemper_options_set(options, "step_size", "robbins_monro"));
  const double rows = (double)corpus_all_rows(data), batch = rows_of_step(options, model, data);
  const double earlier = rows_of_topics(model, ranks_sum(corpus_total(data)) / fmax(rows, 1));
  const bool all_rows = rows >= 0.9 * earlier;
  if (!all_rows && earlier > 0 && !named_option(arguments, "rows_total"))
    scale_topics(model, (earlier + rows) / earlier);
  set_unless_given(options, arguments, "step_size_power", 1);
  set_unless_given(options, arguments, "step_size_delay", 1 + earlier / batch);
  set_unless_given(options, arguments, "rows_total", fmax(1, round(all_rows ? rows : earlier + rows)));
}
