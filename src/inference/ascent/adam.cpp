// Adam (Kingma 2015). Two forms are in use: Kingma's Algorithm 1 adds epsilon to the bias-corrected root, TensorFlow
// to the root before its correction ("epsilon hat"); they differ while |g| is near epsilon, mostly in the first
// steps.

#include <cmath>

#include "inference/ascent.h"
#include "kernels/dispatch.h"

namespace vtemper {

namespace {

class Adam final : public Ascent {
 public:
  Adam(const OptionValues& options, double of_model)
      : rate_(chosen_rate(options, of_model, 0.001)),
        mean_kept_(options.real("adam_mean_decay")),
        square_kept_(options.real("adam_square_decay")),
        epsilon_(options.real("adam_epsilon")),
        kingma_(options.text("adam_form") == "kingma") {}

  void prepare(bool single, int64_t length) override {
    mean_.resize(single, length);
    square_.resize(single, length);
  }

  kernels::Moved move(const RealArray& values, const RealArray& gradient, double scale, int64_t first,
                      int64_t move) override {
    return values.single ? step<float>(values.floats(), gradient.floats(), gradient.length, scale, first, move)
                         : step<double>(values.doubles(), gradient.doubles(), gradient.length, scale, first, move);
  }

  std::vector<RealArray> moments() override { return {mean_.array(), square_.array()}; }
  double largest_sure_gradient() const override {
    // A mean is at most 1e24 if its square is a float; the change is at most rate times the mean over epsilon.
    return rate_ <= 1e12 * (1 - mean_kept_) * epsilon_ ? 1e15 : 0;
  }
  double rate() const override { return rate_; }
  double bytes_per_parameter(bool single) const override { return 2 * (single ? sizeof(float) : sizeof(double)); }
  void save(const std::string& prefix, ContainerWriter& writer) const override {
    mean_.save(prefix + ".mean", writer);
    square_.save(prefix + ".square", writer);
  }
  void load(const std::string& prefix, const ContainerReader& reader) override {
    mean_.load(prefix + ".mean", reader);
    square_.load_squares(prefix + ".square", reader);
  }

 private:
  double rate_, mean_kept_, square_kept_, epsilon_;
  bool kingma_;
  RealStorage mean_, square_;

  template <class Real>
  kernels::Moved step(Real* values, const Real* gradient, int64_t count, double scale, int64_t first, int64_t move) {
    const double times = static_cast<double>(move);
    const double mean_correction = 1 - std::pow(mean_kept_, times);
    const double root_correction = std::sqrt(1 - std::pow(square_kept_, times));
    kernels::AdamStep<Real> s;
    s.gradient = gradient;
    s.scale = static_cast<Real>(scale);
    s.mean = mean_.of<Real>() + first;
    s.square = square_.of<Real>() + first;
    s.values = values + first;
    s.count = count;
    s.mean_kept = static_cast<Real>(mean_kept_);
    s.square_kept = static_cast<Real>(square_kept_);
    s.rate = static_cast<Real>(rate_ * (kingma_ ? 1 : root_correction) / mean_correction);
    s.root_factor = static_cast<Real>(kingma_ ? 1 / root_correction : 1);
    s.epsilon = static_cast<Real>(epsilon_);
    return kernels::table<Real>().adam_step(s);
  }
};

OptionTable adam_options() {
  OptionTable table = ascent_options();
  merge(table, {{"adam_mean_decay", VTEMPER_OPTION_REAL, "0.9", 0, 0.999999, "",
                 "Share of Adam's mean of gradients that a step keeps (beta 1)."},
                {"adam_square_decay", VTEMPER_OPTION_REAL, "0.999", 0, 0.99999999, "",
                 "Share of Adam's mean of squared gradients that a step keeps (beta 2)."},
                {"adam_epsilon", VTEMPER_OPTION_REAL, "1e-06", 1e-30, 1, "",
                 "What Adam adds to the root of the mean square."},
                {"adam_form", VTEMPER_OPTION_CHOICE, "tensorflow", 0, 0, "tensorflow kingma",
                 "Where adam_epsilon is added: to the root before its bias correction (TensorFlow), or after it "
                 "(Kingma's Algorithm 1)."}});
  return table;
}

}  // namespace

extern const AscentPart ascent_adam;
const AscentPart ascent_adam = {"adam", "Adam (Kingma 2015).", adam_options,
                                [](const OptionValues& values, double learning_rate) -> std::unique_ptr<Ascent> {
                                  return std::make_unique<Adam>(values, learning_rate);
                                }};

}  // namespace vtemper
