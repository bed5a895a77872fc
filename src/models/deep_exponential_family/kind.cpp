#include "models/deep_exponential_family/deep_exponential_family.h"

namespace vtemper {

namespace {

OptionTable exponential_family_options() {
  return {
      {"latent", VTEMPER_OPTION_INTEGER, "50", 1, 100000, "", "Number of latent variables (factors) K of a row."},
      {"samples", VTEMPER_OPTION_INTEGER, "32", 2, 100000, "",
       "Samples of a row's posterior in a step; the control variate of each is scaled by means of the others."},
      {"control_variate", VTEMPER_OPTION_CHOICE, "round_robin", 0, 0, "round_robin leave_one_out",
       "What is subtracted from the score-function gradient: the score itself, scaled optimally for the other "
       "samples, or the score times the mean signal of the other samples."},
      {"prior_rate", VTEMPER_OPTION_REAL, "1", 1e-6, 1e6, "", "Rate of the latent variables' Poisson prior."},
      {"background_rate", VTEMPER_OPTION_REAL, "0.001", 1e-12, 1e6, "",
       "Rate of each word where all latent variables are 0 (counts per row)."},
      {"local_iterations", VTEMPER_OPTION_INTEGER, "300", 1, 1e9, "",
       "RMSProp steps that fit the posterior of a row in infer, in evaluate and for rows that are fed."},
      {"precision", VTEMPER_OPTION_CHOICE, "float", 0, 0, "float double", "Floating-point type of the computation."},
  };
}

std::unique_ptr<Model> create_exponential_family(const OptionValues& options) {
  ExponentialFamilySettings settings;
  settings.latent = options.integer("latent");
  settings.samples = options.integer("samples");
  settings.prior_rate = options.real("prior_rate");
  settings.background_rate = options.real("background_rate");
  settings.local_iterations = options.integer("local_iterations");
  if (options.text("control_variate") == "leave_one_out") settings.control_variate = ControlVariate::leave_one_out;
  if (options.text("precision") == "double")
    return std::make_unique<DeepExponentialFamily<double>>(settings, options);
  return std::make_unique<DeepExponentialFamily<float>>(settings, options);
}

}  // namespace

const ModelKind deep_exponential_family_kind = {
    "deep_exponential_family",
    "Deep exponential family: counts as sums of factors, each of which takes part any number of times.",
    exponential_family_options, create_exponential_family, VTEMPER_COUNTS};

}  // namespace vtemper
