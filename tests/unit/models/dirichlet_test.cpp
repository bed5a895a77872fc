// Differences of functions of large parameters: by integrals, on both sides of the change of formula.

#include "models/dirichlet.h"

#include <cmath>

#include "kernels/scalar_functions.h"
#include "support/assert.h"
#include "support/cmocka.h"

using namespace vtemper;

namespace {

using Number = long double;

/// psi'(y) for large y.
Number trigamma_of_large(Number y) {
  return 1 / y + 1 / (2 * y * y) + 1 / (6 * y * y * y);
}

/// The integral of t^power psi'(x + t) over t from 0 to d, by Simpson's rule.
Number integral(double x, double d, int power) {
  constexpr int pieces = 20000;
  const Number width = Number(d) / pieces;
  Number sum = 0;
  for (int i = 0; i <= pieces; ++i) {
    const Number t = i * width;
    sum += (i == 0 || i == pieces ? 1 : i % 2 == 1 ? 4 : 2) * (power == 1 ? t : 1) * trigamma_of_large(x + t);
  }
  return sum * width / 3;
}

void assert_near(double actual, Number expected, Number relative) {
  assert_close(actual, expected, relative * std::abs(expected));
}

void gaps_of_large_parameters_are_accurate(void**) {
  for (const double x : {1.01 * large_parameter, 1e6, 1e9, 1e12, 1e15}) {
    for (const double d : {1.0, 30.0, 1e3, 4e4, 1e6, -0.5, -300.0, 0.06 * x, 0.04 * x}) {
      if (x + d < large_parameter) continue;
      const double exact = (x + d) - x;  // of the sum as it is rounded
      assert_near(log_gamma_gap(x, exact), integral(x, exact, 1), 1e-14);
      assert_near(digamma_gap(x, exact), integral(x, exact, 0), 1e-14);
    }
    assert_true(log_gamma_gap(x, 0) == 0 && digamma_gap(x, 0) == 0);
  }
}

void gaps_of_small_parameters_are_plain_differences(void**) {
  for (const double x : {0.1, 2.5, 300.0, 0.9 * large_parameter}) {
    for (const double d : {0.5, 40.0, 1e3}) {
      const double plain = log_gamma(x) - log_gamma(x + d) + d * digamma(x + d);
      assert_close(log_gamma_gap(x, d), plain, 1e-9);
      assert_close(digamma_gap(x, d), digamma(x + d) - digamma(x), 1e-9);
    }
  }
  // The two formulas meet.
  const double above = large_parameter * (1 + 1e-9), below = large_parameter * (1 - 1e-9);
  assert_near(log_gamma_gap(above, 1e4), log_gamma_gap(below, 1e4), 1e-8);
  assert_near(digamma_gap(above, 1e4), digamma_gap(below, 1e4), 1e-8);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(gaps_of_large_parameters_are_accurate),
                              cmocka_unit_test(gaps_of_small_parameters_are_plain_differences)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
