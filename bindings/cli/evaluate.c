/* vtemper evaluate: scores data under a model. */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "failure.h"
#include "library_options.h"
#include "model_data.h"
#include "numbers.h"
#include "ranks.h"
#include "table_file.h"
#include "text_options.h"

static const Flag flags[] = {
    {"heldout", 0, "DATA2", "held-out tokens of the same rows; without it DATA is halved, by --seed"},
    {"format", 0, "NAME", "of the data: sequences, word_sequences, ...; most are recognised"},
    {"transpose", 0, NULL, "exchanges rows and columns of the data, such as genes x cells, words x documents"},
    {"measure", 0, "NAME", "predictive (default), perplexity, elbo, coherence_umass, ... (below)"},
    {"quiet", 'q', NULL, "no messages"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const Flag* const shared_flags[] = {table_flags, text_place_flags, NULL};
static const char* const subjects[] = {"evaluate", NULL};

static void print_score(TableFormat format, const char* measure, double score) {
  if (format == TABLE_NONE) {
    char text[NUMBER_LENGTH];
    printf("%s\n", format_real(text, score));
    return;
  }
  TableFile table = table_start(format);
  table_column(&table, "measure");
  table_column(&table, "score");
  table_open(&table, NULL);
  table_text(&table, measure);
  table_real(&table, score);
  table_close(&table);
}

/* Several ranks divide the rows of a score that is a mean over rows; rank 0 computes other scores alone. */
static bool is_divided(const Arguments* arguments, const char* measure) {
  const char* const means[] = {"predictive", "perplexity", "elbo"};
  if (rank_count() == 1 || arguments->operand_count < 2) return false;
  if (argument(arguments, "heldout") || argument(arguments, "text")) return false;
  for (size_t i = 0; i < sizeof means / sizeof means[0]; ++i) {
    if (strcmp(measure, means[i]) == 0) return true;
  }
  return false;
}

static int run(const Arguments* arguments) {
  const char* measure = argument(arguments, "measure");
  if (!measure) measure = "predictive";
  const char* heldout_path = argument(arguments, "heldout");
  text_options_check(arguments);
  const char* reading = reading_option(arguments);
  if (reading && arguments->operand_count < 2) fail_usage("--%s needs DATA", reading);
  TableFormat format = table_format(arguments, NULL);
  if (format == TABLE_NONE && argument(arguments, "header")) format = TABLE_CSV;
  const bool divided = is_divided(arguments, measure);
  if (!divided && !is_first_rank()) return EXIT_DONE;
  if (!divided) ranks_leave(measure, argument(arguments, "quiet") != NULL);
  const char* model_path = arguments->operands[0];
  vtemper_model* model = model_operand(arguments);
  const char* path = arguments->operand_count > 1 ? arguments->operands[1] : NULL;
  vtemper_data* observed = NULL;
  if (divided) {
    observed = model_data_divide(arguments, path, model);
  } else if (path) {
    observed = model_data_read(arguments, path, model, model_path, false);
  }
  vtemper_data* heldout = heldout_path ? model_data_read(arguments, heldout_path, model, model_path, false) : NULL;
  vtemper_options* options = options_of_subject(arguments, "evaluate");
  double score;
  check_words(vtemper_model_evaluate(model, observed, heldout, measure, options, &score));
  print_score(format, measure, score);
  vtemper_options_destroy(options);
  vtemper_data_destroy(heldout);
  vtemper_data_destroy(observed);
  vtemper_model_destroy(model);
  return EXIT_DONE;
}

const Command evaluate_command = {
    .name = "evaluate",
    .usage = "MODEL [DATA] [--heldout DATA2] [--measure NAME] [--NAME VALUE ...]",
    .description = "prints a score of data under a model",
    .notes =
        "predictive, in nats: for lda and deep_exponential_family the mean log probability of a held-out token\n"
        "(document completion: half of each row's tokens are shown, the other half predicted); for hidden_markov\n"
        "that of a symbol; for gaussian_mixture and bernoulli_mixture the mean log density of a row, without its\n"
        "missing values; for factorial_mixture that of a value given the other half of its row; for\n"
        "sigmoid_belief_network and variational_autoencoder the mean log probability of a row, by importance\n"
        "sampling (--samples, default 100, as in fit --test; papers use 5000, which scores a little higher and\n"
        "costs 50 times as much). perplexity is exp(-predictive); these two networks have none. elbo is the bound\n"
        "of the log probability of all rows.\n"
        "Only for these two networks and deep_exponential_family: log_marginal, the sum over the rows of the log\n"
        "probability by importance sampling, and active_units, the number of units whose posterior mean varies\n"
        "over the rows. Only for variational_autoencoder: dead_units, the share of the encoder's hidden units that\n"
        "are off.\n"
        "For topics, by their most probable words (--top-words, default 10): coherence_umass and\n"
        "coherence_npmi, how often the words occur together in the documents of DATA; topic_diversity, the\n"
        "share of distinct words; exclusivity, how much the words belong to one topic. The last two need no\n"
        "DATA. For models with conjugate updates: log_normalizer, log C(T) of the tempered model with as many rows\n"
        "and tokens as DATA (--temperature T). More options: vtemper describe evaluate.",
    .min_operands = 1,
    .max_operands = 2,
    .flags = flags,
    .shared_flags = shared_flags,
    .subjects = subjects,
    .divides = true,
    .run = run,
};
