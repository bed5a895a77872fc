/* vtemper infer: local posteriors of given rows. */

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "array_file.h"
#include "command.h"
#include "corpus.h"
#include "failure.h"
#include "inferred_table.h"
#include "library_options.h"
#include "model_data.h"
#include "nearest.h"
#include "ranks.h"
#include "row_labels.h"
#include "text_options.h"

/* Rows per block: bounds the memory for data of any size. */
enum { ROWS_AT_ONCE = 10000 };

static const Flag flags[] = {
    {"quantity", 0, "NAME", "what to infer; default: the first one below"},
    {"format", 0, "NAME", "of the data: sequences, word_sequences, ...; most are recognised"},
    {"transpose", 0, NULL, "exchanges rows and columns of the data, such as genes x cells, words x documents"},
    {"output", 'o', "FILE", "ends with .csv, .tsv, .json or .npy; without it CSV on stdout"},
    {"labels", 0, NULL, "names of topic columns include their labels: topic_3 galaxy redshift"},
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

/* The settings of the inference. */
typedef struct Inference {
  const vtemper_model* model;
  const vtemper_data* data;
  const char* quantity;
  const vtemper_options* options;
} Inference;

/* The rank that infers the rows from `first` on: several ranks take turns. */
static int rank_of(int64_t first) {
  return (int)(first / ROWS_AT_ONCE % rank_count());
}

/* The values of `count` rows, inferred here, or received from the rank that did; the caller frees them.
 *  @param rows  receives the number of rows of the values: sequences have one per symbol */
static double* values_of(const Inference* inference, int64_t first, int64_t count, int64_t* rows) {
  vtemper_data* part = corpus_slice(inference->data, first, count);
  const vtemper_quantity here = find_quantity(inference->model, part, inference->quantity);
  const int64_t length = here.shape[0] * here.shape[1];
  double* values = allocate((size_t)length, sizeof *values);
  if (rank_of(first) == rank_here()) {
    check_words(vtemper_model_infer(inference->model, part, here.name, inference->options, values, length));
    if (!is_first_rank()) ranks_send(values, length);
  } else {
    ranks_receive(rank_of(first), values, length);
  }
  vtemper_data_destroy(part);
  *rows = here.shape[0];
  return values;
}

/* Infers the rows for which it is this rank's turn; rank 0 writes them. */
static void infer_for_first_rank(const Inference* inference) {
  const int64_t rows = corpus_rows(inference->data), own = (int64_t)ROWS_AT_ONCE * rank_here();
  for (int64_t first = own; first < rows; first += (int64_t)ROWS_AT_ONCE * rank_count()) {
    int64_t ignored;
    free(values_of(inference, first, rows - first < ROWS_AT_ONCE ? rows - first : ROWS_AT_ONCE, &ignored));
  }
}

static void write_all(const Inference* inference, const vtemper_quantity* whole, const Arguments* arguments) {
  const char* path = argument(arguments, "output");
  TableFormat format = table_format(arguments, path);
  /* Bare numbers on stdout are for scripts that use row numbers; named rows are labelled even there. */
  const bool has_names =
      argument(arguments, "header") || argument(arguments, "labels") || row_labels(inference->data).has_names;
  if (!path && format == TABLE_NONE && has_names) format = TABLE_CSV;
  ArrayFile file;
  InferredTable table;
  if (format == TABLE_NONE) {
    array_open(&file, path, whole->rank, whole->shape);
  } else {
    const bool labelled = argument(arguments, "labels") != NULL;
    table = inferred_open(inference->model, inference->data, whole, format, path, labelled);
  }
  const int64_t rows = corpus_rows(inference->data);
  for (int64_t first = 0; first < rows; first += ROWS_AT_ONCE) {
    const int64_t count = rows - first < ROWS_AT_ONCE ? rows - first : ROWS_AT_ONCE;
    int64_t rows_of_values;
    double* values = values_of(inference, first, count, &rows_of_values);
    if (format == TABLE_NONE) {
      array_write(&file, values, rows_of_values);
    } else {
      inferred_write(&table, values, first, count);
    }
    free(values);
  }
  if (format == TABLE_NONE) {
    array_close(&file);
  } else {
    table_close(&table.table);
  }
}

static void check_output(const Arguments* arguments) {
  const char* path = argument(arguments, "output");
  if (table_format(arguments, path) == TABLE_NONE) array_check(arguments, path);
  if (path) output_check(path, false);
}

/* A hash of the file, without its name: the same model on every rank. */
static char* hash_of_file(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) fail("%s cannot be read: %s", path, strerror(errno));
  static unsigned char bytes[1 << 16];
  uLong hash = crc32_z(0, NULL, 0);
  for (size_t length = sizeof bytes; length == sizeof bytes;) {
    length = fread(bytes, 1, sizeof bytes, file);
    hash = crc32_z(hash, bytes, length);
  }
  const bool failed = ferror(file) != 0;
  fclose(file);
  if (failed) fail("%s cannot be read: %s", path, strerror(errno));
  return text_of("%08lx", hash);
}

/* Before the rows are shared out: ranks with other data, another model or other options would infer other values. */
static void require_equal_inference(const Arguments* arguments, const Inference* inference) {
  if (rank_count() == 1) return;
  char* hash = hash_of_file(arguments->operands[0]);
  char* what = text_of("the hash of %s", arguments->operands[0]);
  ranks_require_equal(what, hash);
  free(what);
  free(hash);
  ranks_require_data(arguments->operands[1], inference->data);
  ranks_require_equal("the quantity", inference->quantity);
  vtemper_option info = {.struct_size = sizeof info};
  int32_t count;
  check(vtemper_option_count("evaluate", &count));
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_option_info("evaluate", i, &info));
    const char* value = named_option(arguments, info.name);
    if (strcmp(info.name, "threads") == 0) continue; /* each rank may have its own number */
    what = text_of("option %s", info.name);
    ranks_require_equal(what, value ? value : "not given");
    free(what);
  }
}

static int run(const Arguments* arguments) {
  text_options_check(arguments);
  if (rank_count() > 1 && argument(arguments, "text")) {
    fail_usage("raw text is not divided over ranks: use vtemper infer without mpirun");
  }
  if (is_first_rank()) check_output(arguments);
  ranks_require_file(arguments->operands[0]);
  ranks_require_file(arguments->operands[1]);
  vtemper_model* model = model_operand(arguments);
  vtemper_data* data = model_data_read(arguments, arguments->operands[1], model, arguments->operands[0], false);
  vtemper_options* options = options_of_subject(arguments, "evaluate");
  const vtemper_quantity whole = find_quantity(model, data, argument(arguments, "quantity"));
  const Inference inference = {model, data, whole.name, options};
  require_equal_inference(arguments, &inference);
  if (is_first_rank()) {
    write_all(&inference, &whole, arguments);
  } else {
    infer_for_first_rank(&inference);
  }
  vtemper_options_destroy(options);
  vtemper_data_destroy(data);
  vtemper_model_destroy(model);
  return EXIT_DONE;
}

const Command infer_command = {
    .name = "infer",
    .usage = "MODEL DATA [--quantity NAME] [-o FILE.csv|.tsv|.json|.npy] [--NAME VALUE ...]",
    .description = "writes what a model infers about each row",
    .notes =
        "One row for each row of DATA, one column for each topic, under a header; stdout gets\n"
        "only numbers unless the rows have names, or --as or --header asks for more.\n"
        "proportions are the expected shares of the topics, gamma their Dirichlet parameters.\n"
        "For gaussian_mixture and bernoulli_mixture: responsibilities (the components' probabilities), log_density\n"
        "and completed (the values, with missing ones replaced by their expectation); for factorial_mixture:\n"
        "activations (the probability that each component takes part). For hidden_markov: marginals (the states'\n"
        "probabilities) and path (the most probable states) with a row for each symbol, one sequence after the\n"
        "other, and log_likelihood with a row for each sequence. For sigmoid_belief_network: latent_mean, the\n"
        "units' posterior means, layer by layer; for deep_exponential_family: latent_mean, those of its factors.\n"
        "For variational_autoencoder: latent_mean, latent_deviation and reconstruction.\n"
        "More options: vtemper describe evaluate.",
    .min_operands = 2,
    .max_operands = 2,
    .flags = flags,
    .shared_flags = shared_flags,
    .subjects = subjects,
    .divides = true,
    .run = run,
};
