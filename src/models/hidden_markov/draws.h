#pragma once
// Random Dirichlet parameters, for initialisation and for stochastic annealing (Gultekin 2015, section 4.2): each
// distribution is a draw from Dir(1) times the counts it would get if the data were spread evenly.

#include <algorithm>

#include "models/hidden_markov/log_parameters.h"
#include "support/random_streams.h"

namespace vtemper {

/// The elements of one distribution, in order. The draw depends on the arguments only.
class DirichletDraw {
 public:
  /// `rows` and `symbols`: weighted totals of the data.
  DirichletDraw(uint64_t seed, Purpose purpose, uint64_t iteration, const Layout& layout, int64_t number, double rows,
                double symbols)
      : random_(seed, purpose, iteration, static_cast<uint64_t>(number)) {
    const double states = static_cast<double>(layout.states);
    const double counts = number == 0 ? rows : number <= layout.states ? (symbols - rows) / states : symbols / states;
    RandomStream first_pass = random_;
    double total = 0;
    for (int64_t i = 0; i < layout.distribution(number).size; ++i) total += first_pass.gamma(1);
    scale_ = std::max(counts, 1.0) / total;
  }
  double next() { return scale_ * random_.gamma(1); }

 private:
  RandomStream random_;
  double scale_;
};

}  // namespace vtemper
