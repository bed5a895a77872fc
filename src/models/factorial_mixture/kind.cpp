#include <cmath>

#include "models/factorial_mixture/factorial_mixture.h"
#include "models/factorial_mixture/gradient_fit.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

constexpr double min_variance = 1e-30;
constexpr double largest = 1e30;
constexpr const char* prior_rows_text = "2";

OptionTable factorial_mixture_options() {
  return {
      {"components", VTEMPER_OPTION_INTEGER, "10", 1, 10000, "", "Number of components K."},
      {"activation_probability", VTEMPER_OPTION_REALS, "0.3", 1e-6, 0.999999, "",
       "Probability that a component takes part in a row: one value or K of them; the prior's mean if it is "
       "learned."},
      {"learn_activation_probability", VTEMPER_OPTION_BOOLEAN, "false", 0, 0, "",
       "Whether each component's activation probability is learned, with a Beta prior."},
      {"activation_prior_rows", VTEMPER_OPTION_REAL, prior_rows_text, 1e-6, 1e12, "",
       "Number of rows that the Beta prior of an activation probability is worth."},
      {"noise_variance", VTEMPER_OPTION_REAL, "auto", min_variance, largest, "",
       "Variance of the noise in each dimension (the data's unit squared); auto: half the variance of all values. "
       "The prior's value if it is learned."},
      {"learn_noise_variance", VTEMPER_OPTION_BOOLEAN, "false", 0, 0, "",
       "Whether the variance of the noise is learned, with a Gamma prior on its inverse."},
      {"noise_prior_rows", VTEMPER_OPTION_REAL, prior_rows_text, 1e-6, 1e12, "",
       "Number of values that the prior of the noise's variance is worth: twice the shape of the Gamma prior."},
      {"mean_variance", VTEMPER_OPTION_REAL, "auto", min_variance, largest, "",
       "Prior variance of a component's mean in each dimension (the data's unit squared); auto: half the mean square "
       "of all values."},
      {"initialization", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto prior activations",
       "Start from means drawn from their prior, or from random activations; auto: prior where columns times "
       "mean_variance over noise_variance is at most 100; activations above that, where drawn means would switch "
       "every component off."},
      {"updates", VTEMPER_OPTION_CHOICE, "conjugate", 0, 0, "conjugate gradient",
       "How it is fitted: by updating the posteriors in turn, or by gradients of point means and of the logits of "
       "every row's activations (Altosaar 2018), with methods vi, entropy_annealing and proximity."},
      {"local_iterations", VTEMPER_OPTION_INTEGER, "100", 1, 1e9, "",
       "Maximum number of updates of a row's activations."},
      {"local_tolerance", VTEMPER_OPTION_REAL, "0.001", 0, 1, "",
       "A row's activations have settled when none changes by more than this."},
  };
}

/// The weight of a prior in rows; refused if the quantity is not learned.
double prior_rows(const OptionValues& options, const char* name, const char* learn, bool learned) {
  if (!learned && options.text(name) != prior_rows_text) {
    throw Error(VTEMPER_ERROR_OPTION, message("option ", name, " has no effect without ", learn));
  }
  return options.real(name);
}

std::unique_ptr<Model> create_factorial_mixture(const OptionValues& options) {
  FactorialMixtureSettings settings;
  settings.components = options.integer("components");
  settings.activation_probability =
      reals_of_each(options, "activation_probability", settings.components, "components");
  settings.learn_activations = options.boolean("learn_activation_probability");
  settings.activation_prior_rows =
      prior_rows(options, "activation_prior_rows", "learn_activation_probability", settings.learn_activations);
  settings.noise_variance = options.is_auto("noise_variance") ? 0 : options.real("noise_variance");
  settings.learn_noise = options.boolean("learn_noise_variance");
  settings.noise_prior_rows = prior_rows(options, "noise_prior_rows", "learn_noise_variance", settings.learn_noise);
  settings.mean_variance = options.is_auto("mean_variance") ? 0 : options.real("mean_variance");
  const std::string& initialization = options.text("initialization");  // "auto" depends on the data
  settings.initialization = initialization == "prior"         ? Initialization::prior
                            : initialization == "activations" ? Initialization::activations
                                                              : Initialization::automatic;
  settings.local_iterations = options.integer("local_iterations");
  settings.local_tolerance = options.real("local_tolerance");
  if (options.text("updates") == "gradient") {
    if (settings.learn_activations || settings.learn_noise) {
      throw Error(VTEMPER_ERROR_OPTION,
                  "updates gradient learns the means only: learn_activation_probability and "
                  "learn_noise_variance need updates conjugate");
    }
    return std::make_unique<FactorialGradientFit>(settings, options);
  }
  return std::make_unique<FactorialMixture>(std::move(settings), options);
}

}  // namespace

const ModelKind factorial_mixture_kind = {
    "factorial_mixture", "Factorial mixture: rows as sums of components, each of which takes part or not.",
    factorial_mixture_options, create_factorial_mixture, VTEMPER_DENSE};

}  // namespace vtemper
