// Exact sums: the same bits in every order and for every division into parts, equal to the rounded exact sum.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "group/exact_sum.h"
#include "support/assert.h"
#include "support/cmocka.h"
#include "support/random.h"

using vtemper::ExactSum;
using vtemper::test::Random;

namespace {

using Numbers = std::vector<double>;

double sum_of(const Numbers& numbers) {
  ExactSum sum;
  for (const double number : numbers) sum.add(number);
  return sum.value();
}

void known_sums(void**) {
  const double largest = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
  assert_true(sum_of({}) == 0);
  assert_true(sum_of({1, 1e100, 1, -1e100}) == 2);
  assert_true(sum_of({-1, -1e100, 0.25, 1e100}) == -0.75);
  assert_true(sum_of({largest, largest, -largest}) == largest);
  assert_true(sum_of({largest, least, -largest}) == least);
  assert_true(sum_of({-least, -least, -least}) == -3 * least);
  assert_true(sum_of({0.0, -0.0}) == 0);
  assert_true(sum_of({1, 0x1p-53, 0x1p-105}) == 1 + 0x1p-52);  // above the middle
  assert_true(std::isinf(sum_of({largest, largest})));
  assert_true(sum_of({-std::numeric_limits<double>::infinity(), 3}) < -largest);
  assert_true(
      std::isnan(sum_of({std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()})));
  assert_true(std::isnan(sum_of({1, std::nan("")})));
  for (const double x : {1.0, -1.0, 0.1, -3e-310, 1e308, 0x1.fffffffffffffp-1022}) assert_true(sum_of({x}) == x);
}

/// In any order and for any number of ranks, also where digits of different signs are added.
void bits_do_not_depend_on_the_order(void**) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    Numbers numbers;
    long double plain = 0, size = 0;
    for (int i = 0; i < 500; ++i) {
      numbers.push_back(random.normal() * std::pow(2.0, std::floor(20 * random.uniform())));
      plain += numbers.back();
      size += std::abs(numbers.back());
    }
    const double wanted = sum_of(numbers);
    assert_close(wanted, plain, 0x1p-53L * std::abs(plain) + 1e-17L * size);
    for (const size_t ranks : {1, 2, 7}) {
      for (size_t i = numbers.size() - 1; i > 0; --i) {
        std::swap(numbers[i], numbers[random.below(i + 1)]);
      }
      ExactSum all;
      std::vector<ExactSum> parts(ranks);
      for (size_t i = 0; i < numbers.size(); ++i) parts[i * i % ranks].add(numbers[i]);
      for (const ExactSum& part : parts) all.add(part.numbers().data());
      assert_true(all.value() == wanted);
      assert_true(sum_of(numbers) == wanted);
    }
  }
}

/// Contents that no rank can have sent.
void impossible_numbers_give_no_sum(void**) {
  ExactSum::Numbers numbers = ExactSum().numbers();
  for (const double impossible : {1e300, -1e300, std::nan("")}) {
    numbers[3] = impossible;
    ExactSum sum;
    sum.add(numbers.data());
    assert_true(std::isnan(sum.value()));
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(known_sums), cmocka_unit_test(bits_do_not_depend_on_the_order),
                              cmocka_unit_test(impossible_numbers_give_no_sum)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
