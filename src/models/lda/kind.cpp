#include <cmath>

#include "models/lda/lda.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

constexpr double largest = 1e12;

OptionTable lda_options() {
  return {
      {"topics", VTEMPER_OPTION_INTEGER, "100", 1, 1e6, "", "Number of topics K."},
      {"alpha", VTEMPER_OPTION_REALS, "auto", 1e-8, 1e6, "",
       "Dirichlet prior of a document's topic proportions: one value or K of them; auto: 1/K."},
      {"eta", VTEMPER_OPTION_REALS, "auto", 1e-8, 1e6, "",
       "Dirichlet prior of a topic's words: one value or K x V of them, row by row; auto: 1/K."},
      {"learn_alpha", VTEMPER_OPTION_BOOLEAN, "auto", 0, 1, "",
       "Whether alpha, one value a topic, is fitted once the temperature is near 1; auto: in fits whose topics are "
       "split while the temperature falls (method annealing by minibatches, many topics), where alpha is not given; "
       "there at least 2000 / tokens of the corpus."},
      {"learn_eta", VTEMPER_OPTION_BOOLEAN, "false", 0, 1, "",
       "Whether eta, one value for all, is fitted once the temperature is near 1; needs topic_posterior dirichlet."},
      {"topic_posterior", VTEMPER_OPTION_CHOICE, "point", 0, 0, "dirichlet point",
       "Topics as Dirichlet posteriors (full variational Bayes) or as point estimates (normalised lambda, the mode "
       "under Dir(1 + eta))."},
      {"precision", VTEMPER_OPTION_CHOICE, "float", 0, 0, "float double", "Floating-point type of the computation."},
      {"local_iterations", VTEMPER_OPTION_INTEGER, "100", 1, 1e9, "",
       "Largest number of updates of a document's posterior."},
      {"local_tolerance", VTEMPER_OPTION_REAL, "0.001", 0, largest, "",
       "A document's posterior has settled when the mean absolute change of gamma over the topics is below this "
       "(tokens)."},
      {"local_sparsity", VTEMPER_OPTION_REAL, "0.001", 0, 1, "",
       "Topics that hold fewer tokens of a document than this after its first updates are dropped from the rest; "
       "0: never. Above 0, minibatch steps at temperatures up to 1.5 with topics (at least 500) 50 times as many as "
       "a "
       "document has distinct words drop those without weight after the first update already."},
  };
}

/// One value for all or a list of the right length; the default 1/K.
std::vector<double> prior(const OptionValues& options, const char* name, int64_t topics) {
  if (options.is_auto(name)) return {1.0 / static_cast<double>(topics)};
  return options.reals(name);
}

std::unique_ptr<Model> create_lda(const OptionValues& options) {
  LdaSettings settings;
  settings.topics = options.integer("topics");
  settings.alpha = prior(options, "alpha", settings.topics);
  if (settings.alpha.size() == 1) settings.alpha.resize(static_cast<size_t>(settings.topics), settings.alpha[0]);
  if (settings.alpha.size() != static_cast<size_t>(settings.topics)) {
    throw Error(VTEMPER_ERROR_OPTION,
                sentence("option alpha has ", static_cast<int64_t>(settings.alpha.size()),
                         " values; it takes 1 or as many as there are topics (", settings.topics, ")"));
  }
  settings.initial_alpha = settings.alpha;
  settings.eta = prior(options, "eta", settings.topics);
  settings.point = options.text("topic_posterior") == "point";
  if (!options.is_auto("learn_alpha")) {
    settings.learn_alpha = options.boolean("learn_alpha");
  } else if (!options.is_auto("alpha")) {
    settings.learn_alpha = false;
  }
  settings.learn_eta = options.boolean("learn_eta");
  if (settings.learn_eta && settings.point) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "learn_eta needs topic_posterior dirichlet: of point estimates every smaller eta is more probable");
  }
  if (settings.learn_eta && settings.eta.size() > 1) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "learn_eta fits one eta for all, but option eta has a value for each word");
  }
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
