#include "models/dense_mixture.h"
#include "models/gaussian_mixture/work.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

constexpr double largest = 1e12;
constexpr double huge = 1e200;

/// A prior set by the user is kept as it is. A single component is not enough to learn a prior from.
std::string learned_by_default(const OptionValues& options) {
  const bool free = options.is_auto("mean_prior") && options.is_auto("mean_precision_prior") &&
                    options.is_auto("dof_prior") && options.is_auto("covariance_prior");
  return free && options.integer("components") > 1 ? "true" : "false";
}

OptionTable mixture_options() {
  return {
      {"components", VTEMPER_OPTION_INTEGER, "10", 1, 1e6, "", "Number of components K."},
      {"covariance", VTEMPER_OPTION_CHOICE, "normal_wishart", 0, 0, "normal_wishart independent",
       "Prior and posterior of a component's mean and precision: joint (conjugate), or independent Normal and "
       "Wishart factors."},
      {"start", VTEMPER_OPTION_CHOICE, "k_means", 0, 0, "k_means random",
       "Where a fit starts: from clusters of the rows, the best by the bound of four k-means runs (k-means++ starts, "
       "columns as they are and in units of their standard deviations), or from components drawn at random."},
      weights_prior_option(),
      {"mean_prior", VTEMPER_OPTION_REALS, "auto", -huge, huge, "",
       "Prior mean of the components' means: one value or D of them; auto: the mean of the data."},
      {"mean_precision_prior", VTEMPER_OPTION_REAL, "auto", 1e-12, largest, "",
       "Prior precision of the components' means: the number of rows that the prior is worth (normal_wishart), or a "
       "multiple of the inverse covariance of the data (independent); auto: 1.",
       [](const OptionValues&) -> std::string { return "1"; }},
      {"dof_prior", VTEMPER_OPTION_REAL, "auto", 1e-8, largest, "",
       "Degrees of freedom of the components' Wishart prior, above D - 1; auto: D, or, with learn_priors strength, "
       "the default of few rows, 2 D + 1, as much as D rows."},
      {"covariance_prior", VTEMPER_OPTION_REALS, "auto", -huge, huge, "",
       "Covariance whose inverse is the prior mean of the components' precisions: one value or D of them (a "
       "diagonal), or D x D row by row; auto: the covariance of the data over dof_prior K^(2/D), a weak prior for "
       "components as small as if K of them shared the volume of the data; of few rows (at most 4 D, and at most 3 D "
       "+ 20) that which makes the covariance within K clusters of the rows the prior mean of a component's "
       "covariance; of up to 12, or for a single component, the covariance of few rows times min(1, D / N) over "
       "K^(2/D); of few rows with shrunk correlations."},
      {"learn_priors", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto true strength false",
       "Whether the prior of the components' means and precisions (mean_prior, mean_precision_prior, dof_prior, "
       "covariance_prior) is fitted, starting from these values, or only its strength: dof_prior, to which "
       "covariance_prior is tied; needs two or more components; auto: true if none of the four is given, but of "
       "few rows strength (13 or more) or false.",
       learned_by_default},
  };
}

std::vector<double> list(const OptionValues& options, const char* name) {
  return options.is_auto(name) ? std::vector<double>{} : options.reals(name);
}

std::unique_ptr<Model> create_mixture(const OptionValues& options) {
  MixtureSettings settings;
  settings.components = options.integer("components");
  settings.independent = options.text("covariance") == "independent";
  settings.k_means = options.text("start") == "k_means";
  settings.mean_prior = list(options, "mean_prior");
  settings.mean_precision_prior = options.real("mean_precision_prior");
  settings.dof_prior = options.is_auto("dof_prior") ? 0 : options.real("dof_prior");
  settings.covariance_prior = list(options, "covariance_prior");
  const std::string& learned = options.used("learn_priors");
  settings.learning = learned == "true"       ? PriorLearning::all
                      : learned == "strength" ? PriorLearning::strength
                                              : PriorLearning::none;
  settings.less_from_few = options.is_auto("learn_priors");
  return std::make_unique<GaussianMixture>(std::move(settings), options);
}

}  // namespace

const ModelKind gaussian_mixture_kind = {"gaussian_mixture", "Mixture of Gaussians: clusters of dense rows.",
                                         mixture_options, create_mixture, VTEMPER_DENSE};

}  // namespace vtemper
