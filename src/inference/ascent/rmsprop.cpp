// RMSProp (Tieleman 2012). TensorFlow starts the mean square at 1 and adds epsilon inside the root, PyTorch starts at
// 0 and adds it to the root.

#include "inference/ascent.h"
#include "kernels/dispatch.h"

namespace vtemper {

namespace {

class RmsProp final : public Ascent {
 public:
  RmsProp(const OptionValues& options, double of_model)
      : rate_(chosen_rate(options, of_model, 0.01)),
        square_kept_(options.real("rmsprop_decay")),
        epsilon_(options.real("rmsprop_epsilon")),
        pytorch_(options.text("rmsprop_form") == "pytorch") {}

  void prepare(bool single, int64_t length) override {
    square_.resize(single, length);
    const RealArray all = square_.array();
    for (int64_t i = 0; i < length; ++i) all.set(i, pytorch_ ? 0 : 1);
  }

  kernels::Moved move(const RealArray& values, const RealArray& gradient, double scale, int64_t first,
                      int64_t) override {
    return values.single ? step<float>(values.floats(), gradient.floats(), gradient.length, scale, first)
                         : step<double>(values.doubles(), gradient.doubles(), gradient.length, scale, first);
  }

  std::vector<RealArray> moments() override { return {square_.array()}; }
  double largest_sure_gradient() const override { return rate_ <= 1e6 && epsilon_ >= 1e-20 ? 1e15 : 0; }
  double rate() const override { return rate_; }
  double bytes_per_parameter(bool single) const override { return single ? sizeof(float) : sizeof(double); }
  void save(const std::string& prefix, ContainerWriter& writer) const override {
    square_.save(prefix + ".square", writer);
  }
  void load(const std::string& prefix, const ContainerReader& reader) override {
    square_.load_squares(prefix + ".square", reader);
  }

 private:
  double rate_, square_kept_, epsilon_;
  bool pytorch_;
  RealStorage square_;

  template <class Real>
  kernels::Moved step(Real* values, const Real* gradient, int64_t count, double scale, int64_t first) {
    kernels::RmsStep<Real> s;
    s.gradient = gradient;
    s.scale = static_cast<Real>(scale);
    s.square = square_.of<Real>() + first;
    s.values = values + first;
    s.count = count;
    s.square_kept = static_cast<Real>(square_kept_);
    s.rate = static_cast<Real>(rate_);
    s.epsilon_inside = static_cast<Real>(pytorch_ ? 0 : epsilon_);
    s.epsilon_outside = static_cast<Real>(pytorch_ ? epsilon_ : 0);
    return kernels::table<Real>().rms_step(s);
  }
};

OptionTable rmsprop_options() {
  OptionTable table = ascent_options();
  merge(table, {{"rmsprop_decay", VTEMPER_OPTION_REAL, "0.9", 0, 0.99999999, "",
                 "Share of RMSProp's mean of squared gradients that a step keeps."},
                {"rmsprop_epsilon", VTEMPER_OPTION_REAL, "1e-10", 1e-30, 1, "",
                 "What RMSProp adds to the mean square or to its root."},
                {"rmsprop_form", VTEMPER_OPTION_CHOICE, "tensorflow", 0, 0, "tensorflow pytorch",
                 "tensorflow: the mean square starts at 1, rmsprop_epsilon is added under the root; pytorch: it "
                 "starts at 0, rmsprop_epsilon is added to the root."}});
  return table;
}

}  // namespace

extern const AscentPart ascent_rmsprop;
const AscentPart ascent_rmsprop = {"rmsprop", "RMSProp (Tieleman 2012).", rmsprop_options,
                                   [](const OptionValues& values, double learning_rate) -> std::unique_ptr<Ascent> {
                                     return std::make_unique<RmsProp>(values, learning_rate);
                                   }};

}  // namespace vtemper
