#include "synonyms.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "failure.h"
#include "library_options.h"
#include "nearest.h"

typedef struct Synonym {
  const char* word;
  const char* here;
} Synonym;

static const Synonym kinds[] = {
    {"hmm", "hidden_markov"},
    {"hidden_markov_model", "hidden_markov"},
    {"markov", "hidden_markov"},
    {"gmm", "gaussian_mixture"},
    {"gaussian", "gaussian_mixture"},
    {"mixture", "gaussian_mixture"},
    {"kmeans", "gaussian_mixture"},
    {"fmm", "factorial_mixture"},
    {"factorial", "factorial_mixture"},
    {"sbn", "sigmoid_belief_network"},
    {"belief_network", "sigmoid_belief_network"},
    {"vae", "variational_autoencoder"},
    {"autoencoder", "variational_autoencoder"},
    {"def", "deep_exponential_family"},
    {"topic", "lda"},
    {"topics", "lda"},
    {"topic_model", "lda"},
    {"latent_dirichlet_allocation", "lda"},
};

static const Synonym commands[] = {
    {"train", "fit"},        {"learn", "fit"},    {"predict", "infer"}, {"transform", "infer"}, {"score", "evaluate"},
    {"import", "convert"},   {"read", "convert"}, {"show", "info"},     {"print", "topics"},    {"words", "topics"},
    {"options", "describe"}, {"search", "sweep"}, {"grid", "sweep"},    {"html", "report"},     {"ldavis", "export"},
};

static const Synonym options[] = {
    {"passes", "max-passes"},
    {"epochs", "max-passes"},
    {"max-epochs", "max-passes"},
    {"num-passes", "max-passes"},
    {"n-epochs", "max-passes"},
    {"iterations", "max-iterations"},
    {"iter", "max-iterations"},
    {"max-iter", "max-iterations"},
    {"steps", "max-iterations"},
    {"min-df", "min-documents"},
    {"no-below", "min-documents"},
    {"max-df", "max-share"},
    {"no-above", "max-share"},
    {"stopwords", "stop-words"},
    {"stop", "stop-words"},
    {"max-features", "vocabulary-size"},
    {"max-vocabulary", "vocabulary-size"},
    {"vocab-size", "vocabulary-size"},
    {"vocab", "vocabulary"},
    {"stemming", "stem"},
    {"stemmer", "stem"},
    {"bigrams", "phrases"},
    {"ngrams", "phrases"},
    {"lang", "language"},
    {"out", "output"},
    {"save", "output"},
    {"random-state", "seed"},
    {"random-seed", "seed"},
    {"batch", "batch-size"},
    {"minibatch", "batch-size"},
    {"algorithm", "method"},
    {"timeout", "deadline"},
    {"seconds", "time"},
    {"budget", "time"},
    {"warm-start", "continue"},
    {"init-model", "continue"},
    {"jobs", "threads"},
    {"n-jobs", "threads"},
    {"cores", "threads"},
    {"kind", "model"},
    {"metric", "measure"},
    {"text-column", "column"},
    {"id", "id-column"},
    {"date", "date-column"},
    {"test-data", "test"},
    {"top-n", "words"},
    {"n-words", "words"},
};

/* All of these ask for the number of components, which has a different name for each kind. */
static const char* const sizes[] = {
    "k",          "K",      "topics",   "num-topics", "n-topics",  "components", "n-components", "clusters",
    "n-clusters", "states", "n-states", "factors",    "n-factors", "latent",     "dimensions"};
static const char* const size_options[] = {"topics", "components", "states", "latent", "layers"};

static const char* look_up(const Synonym* list, size_t count, const char* word) {
  for (size_t i = 0; i < count; ++i) {
    if (same_name(list[i].word, word)) return list[i].here;
  }
  return NULL;
}

const char* kind_for_word(const char* word) {
  for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) {
    if (strcasecmp(vtemper_model_kind_name(i), word) == 0) return vtemper_model_kind_name(i);
  }
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
    if (strcasecmp(kinds[i].word, word) == 0) return kinds[i].here;
  }
  return look_up(kinds, sizeof kinds / sizeof kinds[0], word);
}

const char* command_for_word(const char* word) {
  return look_up(commands, sizeof commands / sizeof commands[0], word);
}

static bool has_option(const Command* command, const char* kind, const char* name) {
  if (command_flag(command, name)) return true;
  vtemper_option info;
  for (const char* const* subject = command->subjects; subject && *subject; ++subject) {
    if (find_option(strcmp(*subject, "model") == 0 ? kind : *subject, name, &info)) return true;
  }
  return false;
}

const char* option_for_word(const Command* command, const char* kind, const char* word) {
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    if (!same_name(sizes[i], word)) continue;
    for (size_t j = 0; j < sizeof size_options / sizeof size_options[0]; ++j) {
      if (has_option(command, kind, size_options[j])) return size_options[j];
    }
  }
  const char* here = look_up(options, sizeof options / sizeof options[0], word);
  return here && has_option(command, kind, here) ? here : NULL;
}

void kind_check(const char* kind) {
  if (is_kind(kind)) return;
  const char* meant = kind_for_word(kind);
  Nearest nearest = nearest_to(kind);
  consider_kinds(&nearest);
  if (!meant) meant = nearest.best;
  if (meant) fail_usage("there is no model \"%s\"; did you mean %s?", kind, meant);
  fail_usage("there is no model \"%s\"; see vtemper describe", kind);
}
