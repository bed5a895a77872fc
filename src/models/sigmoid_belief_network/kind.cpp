#include "models/layer_units.h"
#include "models/sigmoid_belief_network/sigmoid_belief_network.h"
#include "support/error.h"

namespace vtemper {

namespace {

constexpr const char* initial_weight_text = "-100";

OptionTable belief_network_options() {
  return {
      {"layers", VTEMPER_OPTION_REALS, "auto", 1, max_units, "",
       "Units of each stochastic layer, from the one next to the data up to the top; auto: one layer with a unit for "
       "each column, at most 200."},
      {"samples", VTEMPER_OPTION_INTEGER, "5", 2, 100000, "",
       "Samples of a row's posterior in a step; the baseline of each is computed from the others."},
      {"objective", VTEMPER_OPTION_CHOICE, "elbo", 0, 0, "elbo multi_sample",
       "What a fit maximises: the ELBO, or the tighter bound that averages the samples' weights (VIMCO, Mnih and "
       "Rezende 2016)."},
      {"keep_log_q", VTEMPER_OPTION_BOOLEAN, "false", 0, 0, "",
       "Whether the gradient includes the term of -log q itself, whose mean is 0; for objective elbo."},
      {"initialization", VTEMPER_OPTION_CHOICE, "glorot", 0, 0, "glorot constant",
       "Start of the model's weights: drawn as in Glorot and Bengio (2010), or all initial_weight, a bad start on "
       "purpose; the inference network's are always drawn."},
      {"initial_weight", VTEMPER_OPTION_REAL, initial_weight_text, -1e6, 1e6, "",
       "The weight for initialization constant."},
      {"initial_probability", VTEMPER_OPTION_REAL, "auto", 1e-12, 0.999999, "",
       "Probability of the top units at the start; auto: 0.5, or 0.001 with initialization constant.",
       [](const OptionValues& options) -> std::string {
         return options.text("initialization") == "constant" ? "0.001" : "0.5";
       }},
      {"precision", VTEMPER_OPTION_CHOICE, "float", 0, 0, "float double", "Floating-point type of the computation."},
  };
}

std::unique_ptr<Model> create_belief_network(const OptionValues& options) {
  BeliefNetworkSettings settings;
  if (options.used("layers") != "auto") settings.layers = layer_units(options, "layers", max_layers);
  settings.samples = options.integer("samples");
  settings.multi_sample = options.text("objective") == "multi_sample";
  settings.keep_log_q = options.boolean("keep_log_q");
  if (settings.multi_sample && settings.keep_log_q) {
    throw Error(VTEMPER_ERROR_OPTION, "option keep_log_q has no effect with objective multi_sample");
  }
  settings.constant_start = options.text("initialization") == "constant";
  if (!settings.constant_start && options.text("initial_weight") != initial_weight_text) {
    throw Error(VTEMPER_ERROR_OPTION, "option initial_weight has no effect without initialization constant");
  }
  settings.constant_weight = options.real("initial_weight");
  settings.prior_probability = options.real("initial_probability");
  if (options.text("precision") == "double") {
    return std::make_unique<SigmoidBeliefNetwork<double>>(std::move(settings), options);
  }
  return std::make_unique<SigmoidBeliefNetwork<float>>(std::move(settings), options);
}

}  // namespace

const ModelKind sigmoid_belief_network_kind = {
    "sigmoid_belief_network",
    "Sigmoid belief network: binary rows from layers of binary units, with an inference network.",
    belief_network_options, create_belief_network, VTEMPER_DENSE};

}  // namespace vtemper
