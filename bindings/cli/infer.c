/* vtemper infer: local posteriors of given rows. */

#include <inttypes.h>
#include <stdlib.h>

#include "array_file.h"
#include "command.h"
#include "corpus.h"
#include "failure.h"
#include "inferred_table.h"
#include "library_options.h"
#include "model_data.h"
#include "nearest.h"
#include "row_labels.h"
#include "text_options.h"

/* Rows per block: bounds the memory for data of any size. */
enum { ROWS_AT_ONCE = 10000 };

static const Flag flags[] = {
    {"quantity", 0, "NAME", "what is inferred; usually the first that is named below"},
    {"format", 0, "NAME", "of the data: sequences, labelled_sequences, ...; usually recognised"},
    {"output", 'o', "FILE", "ends with .csv, .tsv, .json or .npy; without it CSV on stdout"},
    {"labels", 0, NULL, "columns of topics are named by their labels as well: topic_3 galaxy redshift"},
    {"quiet", 'q', NULL, "no messages"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const Flag* const shared_flags[] = {table_flags, text_place_flags, NULL};
static const char* const subjects[] = {"evaluate", NULL};

/* The quantity of that name, or the default one if `name` is NULL, with the shape for these rows. */
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
  char* known = text_of("%s", "");
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_model_infer_info(model, data, i, &quantity));
    char* longer = text_of("%s%s%s", known, i > 0 ? ", " : "", quantity.name);
    free(known);
    known = longer;
  }
  if (nearest.best) {
    fail_usage("the model infers no \"%s\"; did you mean %s? It infers %s", name, nearest.best, known);
  }
  fail_usage("the model infers no \"%s\"; it infers %s", name, known);
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
  text_options_check(arguments);
  TableFormat format = table_format(arguments, path);
  if (format == TABLE_NONE || format == TABLE_CSV) array_check(path);
  if (path) output_check(path, false);
  vtemper_model* model = model_read(arguments->operands[0]);
  vtemper_data* data = model_data_read(arguments, arguments->operands[1], model, arguments->operands[0], false);
  vtemper_options* options = options_of_subject(arguments, "evaluate");

  const vtemper_quantity whole = find_quantity(model, data, name);
  const int64_t rows = corpus_rows(data);
  /* Bare numbers on stdout are for scripts that use row numbers; named rows are labelled even there. */
  const bool has_names = argument(arguments, "header") || argument(arguments, "labels") || row_labels(data).has_names;
  if (!path && format == TABLE_NONE && has_names) format = TABLE_CSV;
  ArrayFile file;
  InferredTable table;
  if (format == TABLE_NONE) {
    array_open(&file, path, whole.rank, whole.shape);
  } else {
    table = inferred_open(model, data, &whole, format, path, argument(arguments, "labels") != NULL);
  }
  for (int64_t first = 0; first < rows; first += ROWS_AT_ONCE) {
    const int64_t count = rows - first < ROWS_AT_ONCE ? rows - first : ROWS_AT_ONCE;
    vtemper_data* part = part_of(data, first, count);
    const vtemper_quantity here = find_quantity(model, part, whole.name);
    const int64_t length = here.shape[0] * here.shape[1];
    double* values = allocate((size_t)length, sizeof *values);
    check_words(vtemper_model_infer(model, part, here.name, options, values, length));
    if (format == TABLE_NONE) {
      array_write(&file, values, here.shape[0]);
    } else {
      inferred_write(&table, values, first, count);
    }
    free(values);
    vtemper_data_destroy(part);
  }
  if (format == TABLE_NONE) {
    array_close(&file);
  } else {
    table_close(&table.table);
  }
  vtemper_options_destroy(options);
  vtemper_data_destroy(data);
  vtemper_model_destroy(model);
  return EXIT_DONE;
}

const Command infer_command = {
    .name = "infer",
    .usage = "MODEL DATA [--quantity NAME] [-o FILE.csv|.tsv|.json|.npy] [--NAME VALUE ...]",
    .sentence = "writes what a model infers about each row",
    .notes =
        "One row for each row of DATA, one column for each topic, under a header; stdout gets\n"
        "numbers alone unless the rows have names, or --as or --header asks for it.\n"
        "proportions are the expected shares of the topics, gamma their Dirichlet parameters.\n"
        "Of gaussian_mixture and bernoulli_mixture responsibilities (the components' probabilities),\n"
        "log_density and completed (the values, in place of missing ones their expectation), of\n"
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
    .shared_flags = shared_flags,
    .subjects = subjects,
    .run = run,
};
