// Poisson draws and entropies against sums over the distribution.

#include "models/deep_exponential_family/plain_family.h"
#include "support/assert.h"

using namespace fixtures;

namespace {

const double rates[] = {1e-6, 0.03, 0.7, 4, 31, 39.9, 40.1, 350, 20000};

/// A draw is the least n whose cumulative probability reaches its uniform number.
void draws_invert_the_distribution(void**) {
  for (const double rate : rates) {
    constexpr int64_t count = 300;
    Vector drawn(count);
    std::vector<float> drawn_as_float(count);
    RandomStream random(3, Purpose::sample, 5, 7), again = random, numbers = random;
    poisson_draws(rate, random, count, drawn.data());
    poisson_draws(rate, again, count, drawn_as_float.data());
    assert_int_equal(random.bits(), again.bits());
    for (size_t i = 0; i < count; ++i) {
      const double u = numbers.uniform();
      assert_true(static_cast<double>(drawn_as_float[i]) == drawn[i]);
      double below = 0;
      for (double n = 0; n < drawn[i]; ++n) below += std::exp(plain::log_poisson(n, rate));
      const double up_to = below + std::exp(plain::log_poisson(drawn[i], rate));
      if (below - 1e-10 < u && u <= up_to + 1e-10) continue;
      print_error("rate %g: %g was drawn for %.17g, between %.17g and %.17g\n", rate, drawn[i], u, below, up_to);
      assert_true(false);
    }
  }
}

void rates_at_the_end_of_the_range_are_drawn(void**) {
  RandomStream random(1, Purpose::sample, 0, 0);
  float drawn[4];
  poisson_draws(largest_rate, random, 4, drawn);
  for (const float n : drawn) assert_close(n, largest_rate, 6 * std::sqrt(largest_rate));
}

void factorials(void**) {
  for (const double n : {0.0, 1.0, 2.0, 20.0, 2047.0, 2048.0, 1e6, 0.5, 3.25}) {
    const double expected = std::lgamma(n + 1);
    assert_close(log_factorial(n), expected, 1e-14 * std::max(1.0, expected));
  }
}

void entropies(void**) {
  for (const double rate : {1e-6, 0.02, 0.9, 7.0, 45.0, 990.0, 1010.0}) {
    double entropy = 0, slope = 0;
    for (double n = 0; n < 3000; ++n) {
      const double log_chance = plain::log_poisson(n, rate);
      entropy -= std::exp(log_chance) * log_chance;
      slope -= std::exp(log_chance) * (n / rate - 1) * log_chance;
    }
    const PoissonEntropy found = poisson_entropy(rate);
    check_close("entropy", {found.value}, {entropy}, 1e-11);
    check_close("its slope", {found.slope}, {slope}, 1e-11);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(draws_invert_the_distribution),
      cmocka_unit_test(rates_at_the_end_of_the_range_are_drawn),
      cmocka_unit_test(factorials),
      cmocka_unit_test(entropies),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
