// Rows of Bernoulli units in every instruction set, against long double.

#include "unit/kernels/kernels.h"

using namespace vtemper::kernels;

namespace {

long double softplus(long double x) {
  return std::max(x, 0.0L) + std::log1p(std::exp(-std::abs(x)));
}
long double sigmoid(long double x) {
  return 1 / (1 + std::exp(-x));
}

/// Logits of every size, the largest beyond the range of the exponential.
template <class Real>
std::vector<Real> logits(int64_t count) {
  Random numbers(5);
  std::vector<Real> eta;
  for (int64_t i = 0; i < count; ++i) {
    const double scale = i % 7 == 0 ? 1e4 : i % 5 == 0 ? 1e-3 : 12;
    eta.push_back(static_cast<Real>(scale * (2 * numbers.uniform() - 1)));
  }
  return eta;
}

void rows_deltas_and_draws(void**) {
  in_every_set([](const InstructionSet& set, auto zero) {
    using Real = decltype(zero);
    const auto& kernels = table<Real>(set);
    const long double tolerance = sizeof(Real) == sizeof(float) ? 2e-6L : 1e-14L;
    const std::string what = std::string(set.name) + " " + name_of<Real>();
    for (const int64_t count : {1, 3, 16, 37, 784, 1500}) {
      const std::vector<Real> eta = logits<Real>(count);
      const size_t size = static_cast<size_t>(count);
      std::vector<Real> mean(size), entropy(size), target(size), delta = eta, drawn(size);
      std::vector<uint32_t> words(size);
      Random numbers(8);
      for (size_t i = 0; i < size; ++i) {
        target[i] = static_cast<Real>(i % 3 == 0 ? 1 : i % 3 == 1 ? 0 : 0.25);
        words[i] = static_cast<uint32_t>(4294967295.0 * numbers.uniform());
      }
      const double softplus_sum = kernels.bernoulli_row({eta.data(), count, mean.data(), entropy.data()});
      check(kernels.bernoulli_row({eta.data(), count, nullptr, nullptr}) == softplus_sum, what + ": bare sum");
      const double log_probability =
          kernels.bernoulli_deltas(target.data(), static_cast<Real>(0.5), delta.data(), count);
      const double on = kernels.bernoulli_draw(words.data(), mean.data(), eta.data(), drawn.data(), count);
      long double expected_softplus = 0, expected_log = 0, expected_on = 0, total = 1;
      for (size_t i = 0; i < size; ++i) {
        const auto x = static_cast<long double>(eta[i]);
        const long double m = sigmoid(x);
        check(std::abs(static_cast<long double>(mean[i]) - m) <= tolerance * m + 1e-38L, what + ": mean");
        const long double h = softplus(x) - x * m;
        check(std::abs(static_cast<long double>(entropy[i]) - (std::abs(x) > 100 ? 0 : h)) <= tolerance * 4,
              what + ": entropy");
        const auto y = static_cast<long double>(target[i]);
        check(std::abs(static_cast<long double>(delta[i]) - 0.5L * (y - m)) <= tolerance, what + ": delta");
        const bool expected =
            (static_cast<long double>(words[i] >> 8) + 0.5L) / 16777216 < static_cast<long double>(mean[i]);
        check(drawn[i] == (expected ? Real(1) : Real(0)), what + ": draw");
        expected_softplus += softplus(x);
        expected_log += y * x - softplus(x);
        expected_on += expected ? x : 0;
        total += std::abs(x) + 1;
      }
      check(std::abs(softplus_sum - expected_softplus) <= tolerance * total, what + ": softplus");
      check(std::abs(log_probability - expected_log) <= tolerance * total, what + ": log probability");
      check(std::abs(on - expected_on) <= tolerance * total, what + ": sum of logits");
    }
  });
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(rows_deltas_and_draws)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
