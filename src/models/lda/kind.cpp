#include <cmath>

#include "models/lda/growth.h"
#include "models/lda/lda.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

constexpr double largest = 1e12;

std::string one_over_topics(const OptionValues& options) {
  return number_text(1.0 / static_cast<double>(options.integer("topics")));
}

OptionTable lda_options() {
  return {
      {"topics", VTEMPER_OPTION_INTEGER, "100", 1, 1e6, "", "Number of topics K."},
      {"alpha", VTEMPER_OPTION_REALS, "auto", 1e-8, 1e6, "",
       "Dirichlet prior of a document's topic proportions: one value or K of them; auto: 1/K.", one_over_topics},
      {"eta", VTEMPER_OPTION_REALS, "auto", 1e-8, 1e6, "",
       "Dirichlet prior of a topic's words: one value or K x V of them, row by row; auto: 1/K.", one_over_topics},
      {"learn_alpha", VTEMPER_OPTION_BOOLEAN, "auto", 0, 1, "",
       "Whether alpha, one value per topic, is fitted once the temperature is near 1; auto: if alpha is not given, "
       "in fits that split topics as the temperature falls (method annealing with minibatches and many topics)."},
      {"alpha_min", VTEMPER_OPTION_REAL, "auto", 0, 1e6, "",
       "Lower limit of a fitted alpha; auto: 2000 / tokens of the corpus, at most 0.1, where learn_alpha is auto, "
       "else 0."},
      {"initial_topics", VTEMPER_OPTION_INTEGER, "auto", 1, 1e6, "",
       "Number of topics at the start of a fit that splits topics as the temperature falls: K, so that none is "
       "split, or K halved repeatedly, rounded up each time; auto: the smallest halving that is at least 1.5 topics "
       "per token of a document (at least 8, and no more than 50 needed), or more if the start temperature can tell "
       "more apart; K where that would be split only once, K is at most 3.5 topics per token of a document, and "
       "there are 150 documents per topic."},
      {"learn_eta", VTEMPER_OPTION_BOOLEAN, "false", 0, 1, "",
       "Whether eta, one value for all, is fitted once the temperature is near 1; needs topic_posterior dirichlet."},
      {"topic_posterior", VTEMPER_OPTION_CHOICE, "point", 0, 0, "dirichlet point",
       "Topics as Dirichlet posteriors (full variational Bayes) or as point estimates (normalised lambda, the mode "
       "under Dir(1 + eta))."},
      {"precision", VTEMPER_OPTION_CHOICE, "float", 0, 0, "float double", "Floating-point type of the computation."},
      {"local_iterations", VTEMPER_OPTION_INTEGER, "100", 1, 1e9, "",
       "Maximum number of updates of a document's posterior."},
      {"local_tolerance", VTEMPER_OPTION_REAL, "0.001", 0, largest, "",
       "A document's posterior has settled when the mean absolute change of gamma over the topics is below this "
       "(tokens)."},
      {"local_sparsity", VTEMPER_OPTION_REAL, "0.001", 0, 1, "",
       "Topics with fewer tokens of a document than this after its first updates are dropped from its later ones; 0: "
       "never. Above 0, minibatch steps at T <= 1.5 of a schedule that began hotter, with at least 500 topics and 50 "
       "times as many as a document has distinct words, drop topics without weight right after the first update."},
      {"parameters_folder", VTEMPER_OPTION_TEXT, "", 0, 0, "",
       "Folder on a disk with room for a file that holds the topics, K x V numbers, for topics larger than memory: a "
       "step reads and writes only the rows of its words. The file cannot be seen in the folder, and nothing of it "
       "remains. Empty: the topics are in memory."},
  };
}

/// Refuses numbers that are not a halving of the number of topics.
int64_t first_topics_of(const OptionValues& options) {
  const int64_t topics = options.integer("topics"), first = options.integer("initial_topics");
  if (is_halving(topics, first)) return first;
  std::string halvings;
  for (int64_t half = topics; half > 1;) {
    half = half_of_topics(half);
    halvings += message(", ", half);
  }
  throw Error(VTEMPER_ERROR_OPTION, message("option initial_topics is ", first, "; with ", topics,
                                            " topics it must be ", topics, halvings));
}

void refuse_with_folder(const LdaSettings& settings) {
  if (settings.eta.size() > 1) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "option eta has a value for each word and topic, which would have to be in memory; with "
                "parameters_folder, for topics that are larger than memory, eta must be one value");
  }
  if (settings.learn_eta) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "learn_eta reads all topics repeatedly; with parameters_folder, for topics that are larger than "
                "memory, eta cannot be learned");
  }
}

std::unique_ptr<Model> create_lda(const OptionValues& options) {
  LdaSettings settings;
  settings.topics = options.integer("topics");
  settings.alpha = reals_of_each(options, "alpha", settings.topics, "topics");
  settings.initial_alpha = settings.alpha;
  settings.eta = options.reals("eta");
  settings.point = options.text("topic_posterior") == "point";
  if (!options.is_auto("learn_alpha")) {
    settings.learn_alpha = options.boolean("learn_alpha");
  } else if (!options.is_auto("alpha")) {
    settings.learn_alpha = false;
  }
  if (!options.is_auto("alpha_min")) settings.alpha_min = options.real("alpha_min");
  if (!options.is_auto("initial_topics")) settings.initial_topics = first_topics_of(options);
  settings.learn_eta = options.boolean("learn_eta");
  if (settings.learn_eta && settings.point) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "learn_eta needs topic_posterior dirichlet: with point estimates every smaller eta is more probable");
  }
  if (settings.learn_eta && settings.eta.size() > 1) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "learn_eta fits one eta for all, but option eta has a value for each word");
  }
  settings.parameters_folder = options.text("parameters_folder");
  if (!settings.parameters_folder.empty()) refuse_with_folder(settings);
  settings.local_iterations = options.integer("local_iterations");
  settings.local_tolerance = options.real("local_tolerance");
  settings.local_sparsity = options.real("local_sparsity");
  if (options.text("precision") == "double") return std::make_unique<Lda<double>>(std::move(settings), options);
  return std::make_unique<Lda<float>>(std::move(settings), options);
}

}  // namespace

const ModelKind lda_kind = {"lda", "Latent Dirichlet allocation: topics of documents.", lda_options, create_lda,
                            VTEMPER_COUNTS};

}  // namespace vtemper
