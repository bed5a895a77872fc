// Normal numbers in bulk: their moments, tails and order in the stream.

#include "models/normal_draws.h"

#include <cmath>
#include <vector>

#include "support/assert.h"
#include "support/cmocka.h"

using namespace vtemper;

namespace {

template <class Real>
void check_distribution() {
  constexpr int64_t count = 400000;
  RandomStream random(3, Purpose::sample, 1, 2);
  std::vector<Real> draws(count);
  draw_normals(random, count, draws.data());
  double moments[5] = {};
  const double points[] = {-2, -1, -0.5, 0, 0.5, 1, 2, 3};
  double below[8] = {}, product = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(draws[static_cast<size_t>(i)]);
    for (int k = 1; k <= 4; ++k) moments[k] += std::pow(x, k) / count;
    for (int k = 0; k < 8; ++k) below[k] += x < points[k] ? 1.0 / count : 0;
    product += x * static_cast<double>(draws[static_cast<size_t>((i + 64) % count)]) / count;
  }
  const double error = 5 / std::sqrt(static_cast<double>(count));  // five standard errors of a mean of variance 1
  assert_close(moments[1], 0, error);
  assert_close(moments[2], 1, error * std::sqrt(2));
  assert_close(moments[3], 0, error * std::sqrt(15));
  assert_close(moments[4], 3, error * std::sqrt(96));
  assert_close(product, 0, error);  // both numbers of a pair
  for (int k = 0; k < 8; ++k) {
    assert_close(below[k], 0.5 * std::erfc(-points[k] / std::sqrt(2)), 0.5 * error);
  }
}

void the_distribution(void**) {
  check_distribution<float>();
  check_distribution<double>();
}

void a_plain_pair(void**) {
  constexpr double pi = 3.14159265358979324;
  RandomStream random(7, Purpose::sample, 0, 0), words(7, Purpose::sample, 0, 0);
  std::vector<double> draws(7);
  draw_normals(random, 7, draws.data());
  for (size_t i = 0; i < 4; ++i) {
    const double radius = std::sqrt(-2 * std::log((words.bits() + 0.5) * 0x1p-32));
    const uint32_t word = words.bits();
    const double turn = ((word & 2) != 0 ? pi : 0) + ((word & 1) != 0 ? pi / 2 : 0);
    const double angle = (static_cast<double>(word >> 2) * 0x1p-30 - 0.5) * pi / 2 + turn;
    assert_close(draws[i], radius * std::cos(angle), 1e-14 * (1 + radius));
    if (i + 4 < 7) assert_close(draws[i + 4], radius * std::sin(angle), 1e-14 * (1 + radius));
  }
  assert_int_equal(random.bits(), words.bits());
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(the_distribution), cmocka_unit_test(a_plain_pair)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
