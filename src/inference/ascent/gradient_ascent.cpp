// The gradient times the learning rate: the update with which Altosaar 2018 states its algorithms (eqs. 8 and 9).

#include <cmath>

#include "inference/ascent.h"

namespace vtemper {

namespace {

template <class Real>
kernels::Moved step(Real* values, const Real* gradient, int64_t count, Real factor) {
  kernels::Moved moved = {0, 0};
  for (int64_t i = 0; i < count; ++i) {
    const Real change = factor * gradient[i];
    moved.size += std::abs(static_cast<double>(values[i]));
    moved.moved += std::abs(static_cast<double>(change));
    values[i] += change;
  }
  return moved;
}

class GradientAscent final : public Ascent {
 public:
  GradientAscent(const OptionValues& options, double of_model) : rate_(chosen_rate(options, of_model, 0.01)) {}

  void prepare(bool, int64_t) override {}
  kernels::Moved move(const RealArray& values, const RealArray& gradient, double scale, int64_t first,
                      int64_t) override {
    const double factor = rate_ * scale;
    return values.single
               ? step(values.floats() + first, gradient.floats(), gradient.length, static_cast<float>(factor))
               : step(values.doubles() + first, gradient.doubles(), gradient.length, factor);
  }
  double largest_sure_gradient() const override { return rate_ <= 1e12 ? 1e15 : 0; }
  double rate() const override { return rate_; }
  double bytes_per_parameter(bool) const override { return 0; }
  void save(const std::string&, ContainerWriter&) const override {}
  void load(const std::string&, const ContainerReader&) override {}

 private:
  double rate_;
};

}  // namespace

extern const AscentPart ascent_gradient_ascent;
const AscentPart ascent_gradient_ascent = {
    "gradient_ascent", "learning_rate times the gradient.", ascent_options,
    [](const OptionValues& values, double learning_rate) -> std::unique_ptr<Ascent> {
      return std::make_unique<GradientAscent>(values, learning_rate);
    }};

}  // namespace vtemper
