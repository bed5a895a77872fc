// Stochastic annealing (Gultekin 2015, section 3.3): a step keeps a share 1 - r of its result and takes a share r of
// a random start scaled to the size of the data,
//   lambdahat = (1 - r) (prior + statistics) + r draw,
// with r falling to 0. The paper has r_t = 0.9^t for topics and Markov models and 0.25 (1 - t / 50) for Gaussian
// mixtures, and r = 0 after a preset step.

#include <algorithm>
#include <cmath>
#include <string_view>

#include "inference/perturbation.h"

namespace vtemper {

namespace {

/// Value of an exponential schedule, relative to its start, at which it is cut off: 0.9^t at t = 50.
constexpr double exponential_base = 0.9;
constexpr double exponential_steps = 50;

class Stochastic final : public PerturbationSchedule {
 public:
  Stochastic(const OptionValues& values, const MethodDefaults& defaults)
      : start_(values.real("perturbation_start")),
        default_steps_(defaults.perturbation_steps),
        linear_(values.used("perturbation_shape") == "linear"),
        local_(values.used("perturbation_scope") == "all"),
        natural_(values.text("perturbation_blend") == "natural") {
    if (!values.is_auto("perturbation_steps")) steps_ = values.real("perturbation_steps");
  }

  Perturbation next(const Clock& clock) const override {
    Perturbation perturbation;
    perturbation.local = local_;
    perturbation.natural = natural_;
    const double share = done(clock);
    if (share >= 1) return perturbation;
    perturbation.share = start_ * (linear_ ? 1 - share : std::pow(exponential_base, exponential_steps * share));
    return perturbation;
  }

  bool over(const Clock& clock) const override { return start_ == 0 || done(clock) >= 1; }

  void report_used(OptionValues& used, const Clock& clock) const override {
    const double annealed = clock.annealed_length();
    used.use_by_default("perturbation_steps", clock.full_steps ? std::min(default_steps_, annealed) : annealed);
  }

  void add_required(RequiredFeatures& required) const override {
    required.perturbation = true;
    required.local_perturbation = local_;
    required.natural_perturbation = natural_;
  }

 private:
  double start_;
  double default_steps_;
  double steps_ = -1;  ///< < 0: not given
  bool linear_;
  bool local_;
  bool natural_;

  /// Completed share of the schedule; at least 1 after its end.
  double done(const Clock& clock) const {
    if (steps_ >= 0) return clock.share_of(steps_);
    const double annealed = clock.annealed_share();
    return clock.full_steps ? std::max(clock.share_of(default_steps_), annealed) : annealed;
  }
};

OptionTable stochastic_options() {
  return {
      {"perturbation_start", VTEMPER_OPTION_REAL, "auto", 0, 1, "",
       "Share r of the first step that is a new random draw; auto: the model's own."},
      {"perturbation_steps", VTEMPER_OPTION_REAL, "auto", 0, 1e15, "",
       "Steps until r = 0; auto: as many as a default schedule takes to reach T = 1, and no more than the model's "
       "own where a step sees all rows."},
      {"perturbation_shape", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto linear exponential",
       "Whether r falls linearly or exponentially (r_t = 0.9^t when perturbation_steps is 50); auto: the model's "
       "own."},
      {"perturbation_scope", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto global all",
       "Whether only the global parameters are perturbed or the posteriors of the rows as well; auto: the model's "
       "own."},
      {"perturbation_blend", VTEMPER_OPTION_CHOICE, "statistics", 0, 0, "statistics natural",
       "What is blended: statistics with those of a random data set, or natural parameters with random ones; the "
       "same for models of Dirichlet distributions."},
  };
}

}  // namespace

extern const PerturbationPart perturbation_stochastic;
const PerturbationPart perturbation_stochastic = {
    "stochastic", "a decreasing share of every step is a new random start (stochastic annealing).",
    stochastic_options,
    [](const OptionValues& values, const MethodDefaults& defaults) -> std::unique_ptr<PerturbationSchedule> {
      return std::make_unique<Stochastic>(values, defaults);
    }};

}  // namespace vtemper
