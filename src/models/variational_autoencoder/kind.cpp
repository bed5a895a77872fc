#include "models/layer_units.h"
#include "models/variational_autoencoder/variational_autoencoder.h"

namespace vtemper {

namespace {

OptionTable autoencoder_options() {
  return {
      {"latent", VTEMPER_OPTION_INTEGER, "auto", 1, max_units, "",
       "Number of Gaussian latent variables; auto: one for each column, at most 100."},
      {"hidden", VTEMPER_OPTION_REALS, "200,200", 1, max_units, "",
       "Rectified linear units of each hidden layer of the encoder, from the columns inwards; the decoder has the "
       "same in reverse order."},
      {"likelihood", VTEMPER_OPTION_CHOICE, "bernoulli", 0, 0, "bernoulli gaussian",
       "Distribution of a column given the latent variables: bernoulli for values from 0 to 1, or gaussian with a "
       "learned variance."},
      {"samples", VTEMPER_OPTION_INTEGER, "1", 1, 100000, "", "Samples of a row's posterior in a step."},
      {"bound", VTEMPER_OPTION_CHOICE, "analytic", 0, 0, "analytic sampled",
       "How the ELBO computes the divergence between posterior and prior: in closed form or from the samples."},
      {"orthogonality", VTEMPER_OPTION_CHOICE, "rows", 0, 0, "rows columns",
       "What proximity orthogonal keeps near its reference for each weight matrix W [in x out] of the encoder: W W', "
       "or W' W."},
      {"encoder_initialization", VTEMPER_OPTION_CHOICE, "orthogonal", 0, 0, "orthogonal glorot truncated_normal",
       "Start of the encoder's weights: orthonormal columns, drawn as in Glorot and Bengio (2010), or normal, "
       "truncated at two standard deviations."},
      {"decoder_initialization", VTEMPER_OPTION_CHOICE, "glorot", 0, 0, "orthogonal glorot truncated_normal",
       "Start of the decoder's weights, as for the encoder."},
      {"encoder_bias", VTEMPER_OPTION_REAL, "0.1", -1e6, 1e6, "",
       "Bias of the encoder's hidden units at the start; far below 0 they are off for every row, a bad start on "
       "purpose."},
      {"precision", VTEMPER_OPTION_CHOICE, "float", 0, 0, "float double", "Floating-point type of the computation."},
  };
}

InitialWeights initial_weights(const std::string& name) {
  if (name == "glorot") return InitialWeights::glorot;
  return name == "orthogonal" ? InitialWeights::orthogonal : InitialWeights::truncated_normal;
}

std::unique_ptr<Model> create_autoencoder(const OptionValues& options) {
  AutoencoderSettings settings;
  if (options.used("latent") != "auto") settings.latent = options.integer("latent");
  settings.hidden = layer_units(options, "hidden", max_hidden_layers);
  settings.gaussian = options.text("likelihood") == "gaussian";
  settings.samples = options.integer("samples");
  settings.analytic = options.text("bound") == "analytic";
  settings.by_rows = options.text("orthogonality") == "rows";
  settings.encoder = initial_weights(options.text("encoder_initialization"));
  settings.decoder = initial_weights(options.text("decoder_initialization"));
  settings.encoder_bias = options.real("encoder_bias");
  if (options.text("precision") == "double") {
    return std::make_unique<VariationalAutoencoder<double>>(std::move(settings), options);
  }
  return std::make_unique<VariationalAutoencoder<float>>(std::move(settings), options);
}

}  // namespace

const ModelKind variational_autoencoder_kind = {
    "variational_autoencoder",
    "Variational autoencoder: rows from Gaussian latent variables and a decoding network, with an encoding network.",
    autoencoder_options, create_autoencoder, VTEMPER_DENSE};

}  // namespace vtemper
