#include "models/hidden_markov/hidden_markov.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

std::string one_over_states(const OptionValues& options) {
  return number_text(1.0 / static_cast<double>(options.integer("states")));
}

OptionTable hidden_markov_options() {
  return {
      {"states", VTEMPER_OPTION_INTEGER, "10", 1, 10000, "", "Number of hidden states S."},
      {"initial_prior", VTEMPER_OPTION_REALS, "auto", least_prior, largest_prior, "",
       "Dirichlet prior of the initial state: one value or S of them; auto: 1/S.", one_over_states},
      {"transition_prior", VTEMPER_OPTION_REALS, "auto", least_prior, largest_prior, "",
       "Dirichlet prior of the transitions from a state: one value or S x S of them, row by row; auto: 1/S.",
       one_over_states},
      {"emission_prior", VTEMPER_OPTION_REALS, "auto", least_prior, largest_prior, "",
       "Dirichlet prior of a state's symbols: one value or S x V of them, row by row; auto: 1/2."},
  };
}

/// One value, or `most` of them.
std::vector<double> prior(const OptionValues& options, const char* name, int64_t states, int64_t most) {
  std::vector<double> values = options.reals(name);
  if (values.size() != 1 && values.size() != static_cast<size_t>(most)) {
    throw Error(VTEMPER_ERROR_OPTION, message("option ", name, " has ", static_cast<int64_t>(values.size()),
                                              " values; with ", counted(states, "state"), " it needs 1 or ", most));
  }
  return values;
}

std::unique_ptr<Model> create_hidden_markov(const OptionValues& options) {
  HiddenMarkovSettings settings;
  settings.states = options.integer("states");
  settings.initial_prior = prior(options, "initial_prior", settings.states, settings.states);
  settings.transition_prior = prior(options, "transition_prior", settings.states, settings.states * settings.states);
  if (!options.is_auto("emission_prior")) settings.emission_prior = options.reals("emission_prior");
  return std::make_unique<HiddenMarkov>(std::move(settings), options);
}

}  // namespace

const ModelKind hidden_markov_kind = {"hidden_markov", "Hidden Markov model: hidden states of sequences of symbols.",
                                      hidden_markov_options, create_hidden_markov, VTEMPER_SEQUENCES};

}  // namespace vtemper
