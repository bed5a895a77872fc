// The adaptive rate of Ranganath 2013: the rho that brings lambda nearest to the batch optimum in expectation,
//   rho = E[g]' E[F g] / E[g' F g]                                                                     (eq. 17)
// with g = lambdahat - lambda the noisy natural gradient and F the metric: the Fisher information of the posterior of
// the globals, or the identity. The expectations are exponential averages of window tau,
//   gbar <- (1 - 1/tau) gbar + g/tau  (likewise hbar of F g and qbar of g' F g),    tau <- tau (1 - rho) + 1,
// in this order: averages, rho, tau, then the step (eq. 18 to 22). They start as the means of the first n0 gradients
// at the initial lambda, which is not updated meanwhile, with tau = n0; if n0 is too small, gbar'hbar is mostly noise
// and rho near 1. If gbar'hbar < 0 both restart from the last gradient, as in the paper; restarts are counted.
//
// With a temperature g is that of the tempered bound: while s changes, the averages contain gradients at the
// temperatures of the last tau steps. tau stays near 1 / rho, the memory of lambda itself, so they are no more out of
// date than lambda.

#include <algorithm>
#include <cmath>
#include <string_view>

#include "inference/step_size.h"
#include "support/array.h"

namespace vtemper {

namespace {

class Adaptive final : public StepSize {
 public:
  explicit Adaptive(const OptionValues& values)
      : fisher_(values.used("step_size_metric") == "fisher"),
        initial_steps_(values.integer("step_size_initial_steps")),
        largest_(values.real("step_size_max")) {}

  void add_required(RequiredFeatures& required) const override {
    required.natural_gradient = true;
    required.fisher = fisher_;
  }

  void prepare(ConjugateFit& fit) override {
    follow(fit);
    const size_t length = static_cast<size_t>(natural_gradient_->gradient_length());
    gradient_.resize(length);
    if (fisher_) product_.resize(length);
  }

  void undo_prepare() override {
    gradient_.resize(0);
    product_.resize(0);
  }

  void follow(ConjugateFit& fit) override { natural_gradient_ = fit.natural_gradient(); }

  double rate(const Clock&) const override { return rate_; }

  double next(const GlobalStep& step, const Clock&) override {
    const bool initial = seen_ < initial_steps_;
    ++seen_;
    if (initial) window_ = static_cast<double>(seen_);
    average(step, 1 / window_);
    if (initial) return rate_ = 0;
    if (inner_ < 0) {
      ++resets_;
      const double of_steps = square_;
      average(step, 1);
      square_ = of_steps;
    }
    rate_ = square_ > 0 ? std::min(inner_ / square_, largest_) : largest_;
    window_ = window_ * (1 - rate_) + 1;
    return rate_;
  }

  std::vector<Quantity> quantities() const override {
    return {{"step_size.window", {}, false, "Window tau of the averages of the adaptive step size, in steps."},
            {"step_size.resets",
             {},
             false,
             "Number of times the averages of the adaptive step size were restarted because their product was "
             "negative."}};
  }

  void read_quantity(std::string_view name, const Sink& sink) const override {
    sink(0) = name == "step_size.window" ? window_ : static_cast<double>(resets_);
  }

  std::vector<double> state() const override {
    std::vector<double> all = {static_cast<double>(seen_), static_cast<double>(resets_), rate_, window_, square_};
    all.insert(all.end(), gradient_.begin(), gradient_.end());
    all.insert(all.end(), product_.begin(), product_.end());
    return all;
  }

  bool restore(const std::vector<double>& state) override {
    constexpr size_t scalars = 5;
    if (state.size() != scalars + gradient_.size() + product_.size()) return false;
    if (!std::all_of(state.begin(), state.end(), [](double x) { return std::isfinite(x); })) return false;
    constexpr double largest_count = 9e15;  // exact integers in double
    if (!(state[0] >= 0 && state[0] <= largest_count) || !(state[1] >= 0 && state[1] <= largest_count)) return false;
    if (!(state[2] >= 0 && state[2] <= 1) || !(state[3] >= 1) || !(state[4] >= 0)) return false;
    seen_ = static_cast<int64_t>(state[0]);
    resets_ = static_cast<int64_t>(state[1]);
    rate_ = state[2];
    window_ = state[3];
    square_ = state[4];
    const auto arrays = state.begin() + scalars;
    std::copy_n(arrays, gradient_.size(), gradient_.begin());
    std::copy_n(arrays + static_cast<int64_t>(gradient_.size()), product_.size(), product_.begin());
    return true;
  }

 private:
  NaturalGradient* natural_gradient_ = nullptr;
  bool fisher_;
  int64_t initial_steps_;
  double largest_;
  int64_t seen_ = 0;  ///< gradients seen
  int64_t resets_ = 0;
  double rate_ = 0;         ///< of the last step
  double window_ = 1;       ///< tau
  double square_ = 0;       ///< qbar
  double inner_ = 0;        ///< gbar' hbar
  Array<double> gradient_;  ///< gbar
  Array<double> product_;   ///< hbar; empty for the identity metric, where it equals gbar

  /// Moves the averages towards the step's gradient and computes their inner product.
  void average(const GlobalStep& step, double weight) {
    inner_ = 0;
    double square = 0;
    const auto take = [&](int64_t first, int64_t count, const double* g, const double* fg) {
      double* gradient = gradient_.data() + first;
      double* product = fisher_ ? product_.data() + first : gradient;
      double inner = 0;
      double of_block = 0;
      for (int64_t i = 0; i < count; ++i) {
        gradient[i] += weight * (g[i] - gradient[i]);
        if (fisher_) product[i] += weight * (fg[i] - product[i]);
        inner += gradient[i] * product[i];
        of_block += g[i] * (fisher_ ? fg[i] : g[i]);
      }
      inner_ += inner;
      square += of_block;
    };
    natural_gradient_->natural_gradient(step, fisher_, std::cref(take));
    square_ += weight * (square - square_);
  }
};

OptionTable adaptive_options() {
  return {
      {"step_size_metric", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto identity fisher",
       "Metric of the adaptive step size: the Fisher information of the posterior of the global parameters, or the "
       "identity; auto: the model's own."},
      {"step_size_initial_steps", VTEMPER_OPTION_INTEGER, "100", 1, 1e12, "",
       "Steps that initialise the averages of the adaptive step size and leave the global parameters unchanged."},
      {"step_size_max", VTEMPER_OPTION_REAL, "1", 1e-12, 1, "", "Largest rho of the adaptive step size."},
  };
}

}  // namespace

extern const StepSizePart step_size_adaptive;
const StepSizePart step_size_adaptive = {
    "adaptive", "rho from running averages of the natural gradient (Ranganath 2013).", adaptive_options,
    [](const OptionValues& values) -> std::unique_ptr<StepSize> { return std::make_unique<Adaptive>(values); }};

}  // namespace vtemper
