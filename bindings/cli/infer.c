/* vtemper infer: what a model says about given rows. */

#include <inttypes.h>
#include <stdlib.h>

#include "array_file.h"
#include "command.h"
#include "corpus.h"
#include "failure.h"
#include "library_options.h"
#include "nearest.h"

/* Rows at a time: bounds the memory, whatever the size of the data. */
enum { ROWS_AT_ONCE = 10000 };

static const Flag flags[] = {
    {"quantity", 0, "NAME", "what is inferred; usually the first that is named below"},
    {"format", 0, "NAME", "of the data: sequences, labelled_sequences, ...; usually recognised"},
    {"output", 'o', "FILE", "ends with .csv or .npy; without it CSV on stdout"},
    {"quiet", 'q', NULL, "no messages"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const char* const subjects[] = {"evaluate", NULL};

/* The quantity of that name, or the usual one where `name` is NULL, as these rows have it. */
static vtemper_quantity find_quantity(const vtemper_model* model, const vtemper_data* data, const char* name) {
  vtemper_quantity quantity = {.struct_size = sizeof quantity};
  int32_t count;
  check_words(vtemper_model_infer_count(model, data, &count));
  Nearest nearest = nearest_to(name ? name : "proportions");
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_model_infer_info(model, data, i, &quantity));
    if (same_name(quantity.name, name ? name : "proportions")) return quantity;
    nearest_consider(&nearest, quantity.name);
  }
  if (!name) {
    check(vtemper_model_infer_info(model, data, 0, &quantity));
    return quantity;
  }
  if (nearest.best) fail_usage("the model infers no \"%s\"; did you mean %s?", name, nearest.best);
  fail_usage("the model infers no \"%s\"", name);
}

static vtemper_data* part_of(const vtemper_data* data, int64_t first, int64_t count) {
  int64_t* selection = allocate((size_t)count, sizeof *selection);
  for (int64_t i = 0; i < count; ++i) selection[i] = first + i;
  vtemper_data* part;
  check(vtemper_data_select(data, selection, count, &part));
  free(selection);
  return part;
}

static int run(const Arguments* arguments) {
  const char* name = argument(arguments, "quantity");
  const char* path = argument(arguments, "output");
  array_check(path);
  vtemper_model* model = model_read(arguments->operands[0]);
  double unknown_tokens;
  vtemper_data* data = corpus_for_model(corpus_read(arguments->operands[1], argument(arguments, "format"), NULL),
                                        model, &unknown_tokens);
  if (!argument(arguments, "quiet")) report_unknown_tokens(arguments->operands[1], unknown_tokens, data);
  vtemper_options* options = options_of_subject(arguments, "evaluate");

  const vtemper_quantity whole = find_quantity(model, data, name);
  const int64_t rows = corpus_rows(data);
  ArrayFile file;
  array_open(&file, path, whole.rank, whole.shape);
  for (int64_t first = 0; first < rows; first += ROWS_AT_ONCE) {
    vtemper_data* part = part_of(data, first, rows - first < ROWS_AT_ONCE ? rows - first : ROWS_AT_ONCE);
    const vtemper_quantity here = find_quantity(model, part, whole.name);
    const int64_t length = here.shape[0] * here.shape[1];
    double* values = allocate((size_t)length, sizeof *values);
    check_words(vtemper_model_infer(model, part, here.name, options, values, length));
    array_write(&file, values, here.shape[0]);
    free(values);
    vtemper_data_destroy(part);
  }
  array_close(&file);
  vtemper_options_destroy(options);
  vtemper_data_destroy(data);
  vtemper_model_destroy(model);
  return EXIT_DONE;
}

const Command infer_command = {
    .name = "infer",
    .usage = "MODEL DATA [--quantity NAME] [-o FILE.csv|FILE.npy] [--NAME VALUE ...]",
    .sentence = "writes what a model infers about each row",
    .notes =
        "One row for each row of DATA, one column for each topic; CSV has no header.\n"
        "proportions are the expected shares of the topics, gamma their Dirichlet parameters.\n"
        "Of gaussian_mixture responsibilities (the components' probabilities) and log_density, of\n"
        "factorial_mixture activations (the probability that each component takes part).\n"
        "Of hidden_markov marginals (the states' probabilities) and path (the likeliest states) have a row\n"
        "for each symbol, one sequence after the other, log_likelihood one for each sequence.\n"
        "Of sigmoid_belief_network latent_mean, the units' posterior means, layer after layer; so of\n"
        "deep_exponential_family, those of its factors.\n"
        "Of variational_autoencoder latent_mean, latent_deviation and reconstruction.\n"
        "More options: vtemper describe evaluate.",
    .least_operands = 2,
    .most_operands = 2,
    .flags = flags,
    .subjects = subjects,
    .run = run,
};
