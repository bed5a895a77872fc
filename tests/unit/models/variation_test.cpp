// Variances over weighted rows against sums, and the units they make active.

#include "models/variation.h"

#include <cmath>
#include <vector>

#include "support/assert.h"
#include "support/cmocka.h"
#include "support/random.h"

using namespace vtemper;

namespace {

void variances(void**) {
  for (const double offset : {0.0, 1e6}) {
    test::Random random(3);
    Variation variation;
    double weight = 0, mean = 0, squares = 0;
    std::vector<double> values, weights;
    for (int i = 0; i < 50; ++i) {
      values.push_back(offset + random.normal());
      weights.push_back(i % 7 == 0 ? 0 : random.uniform());
      variation.add(values.back(), weights.back());
      weight += weights.back();
    }
    for (size_t i = 0; i < values.size(); ++i) mean += weights[i] * values[i] / weight;
    for (size_t i = 0; i < values.size(); ++i) {
      squares += weights[i] * (values[i] - mean) * (values[i] - mean) / weight;
    }
    assert_close(variation.variance(), squares, 1e-9);
    assert_true(variation.active());
  }
  assert_true(Variation().variance() == 0 && !Variation().active());
}

void a_row_of_weight_two_is_two_rows(void**) {
  Variation once, twice;
  for (const double value : {0.1, 0.4, 0.2}) {
    once.add(value, value == 0.4 ? 2 : 1);
    twice.add(value, 1);
    if (value == 0.4) twice.add(value, 1);
  }
  assert_close(once.variance(), twice.variance(), 1e-16);
}

void units_are_active_by_the_rows_that_count(void**) {
  const std::vector<double> means = {0, 0, 0.5, 1, 0.5, 0.5, 1, 0, 0.5};  // three rows of three units
  const auto mean = [&](int64_t row, int64_t unit) { return means[static_cast<size_t>(3 * row + unit)]; };
  assert_true(count_active_units(3, 3, mean, [](int64_t) { return 1.0; }) == 2);
  assert_true(count_active_units(3, 3, mean, [](int64_t row) { return row == 1 ? 0.0 : 2.0; }) == 1);
  assert_true(count_active_units(3, 3, mean, [](int64_t row) { return row == 2 ? 1.0 : 0.0; }) == 0);
  assert_true(count_active_units(0, 3, mean, [](int64_t) { return 1.0; }) == 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(variances),
      cmocka_unit_test(a_row_of_weight_two_is_two_rows),
      cmocka_unit_test(units_are_active_by_the_rows_that_count),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
