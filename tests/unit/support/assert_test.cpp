// assert_close fails where it must. The tests of the first group are expected to fail.

#include "support/assert.h"

#include <cmath>
#include <limits>

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void test_too_far(void**) {
  assert_close(1.0, 1.0 + 1e-9, 1e-10);
}

void test_not_a_number(void**) {
  assert_close(std::nan(""), 1, 1e10);
}

void test_expected_is_not_a_number(void**) {
  assert_close(1, std::nan(""), infinity);
}

void test_infinite(void**) {
  assert_close(infinity, -infinity, 1);
}

void test_close_enough(void**) {
  assert_close(1.0, 1.0 + 1e-9, 1e-8);
  assert_close(-2, -2, 0);
  assert_close(infinity, infinity, 0);
  assert_close(3.25L, 3, 0.25);
}

}  // namespace

int main() {
  const CMUnitTest failing[] = {cmocka_unit_test(test_too_far), cmocka_unit_test(test_not_a_number),
                                cmocka_unit_test(test_expected_is_not_a_number), cmocka_unit_test(test_infinite)};
  const CMUnitTest passing[] = {cmocka_unit_test(test_close_enough)};
  if (cmocka_run_group_tests(failing, nullptr, nullptr) != 4) return 1;
  return cmocka_run_group_tests(passing, nullptr, nullptr);
}
