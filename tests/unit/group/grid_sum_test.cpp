// Sums on grids: the same bits in every order, and close to the exact sum.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "group/grid_sum.h"
#include "support/assert.h"
#include "support/cmocka.h"
#include "support/random.h"

using vtemper::GridSum;
using vtemper::test::Random;

namespace {

constexpr int64_t length = 12, columns = 3;
constexpr size_t addends = 100;

using Rows = std::vector<std::vector<double>>;

/// Columns of very different sizes.
Rows draw(uint64_t seed, double size) {
  Random random(seed);
  Rows rows;
  for (size_t i = 0; i < addends; ++i) {
    std::vector<double>& row = rows.emplace_back();
    for (int64_t j = 0; j < length; ++j) row.push_back(size * std::pow(1e4, j % columns) * random.normal());
  }
  return rows;
}

/// Repeats the sum as often as the grids require.
int add(GridSum& sum, const Rows& rows, const std::vector<size_t>& order) {
  int times = 0;
  do {
    sum.clear();
    sum.begin(static_cast<int64_t>(rows.size()));
    for (const size_t i : order) {
      sum.add(0, rows[i].data(), 5);
      sum.add(5, rows[i].data() + 5, length - 5);
    }
    ++times;
  } while (sum.choose(std::vector<double>(sum.largest()).data()));
  return times;
}

void order_does_not_matter(void**) {
  std::vector<size_t> order(addends);
  std::iota(order.begin(), order.end(), 0);
  Random random(3);
  std::vector<double> first;
  for (int trial = 0; trial < 20; ++trial) {
    GridSum sum;
    sum.shape({{length, columns}});
    for (const double size : {1e-3, 1e9, 1e8}) {
      const Rows rows = draw(7, size);
      add(sum, rows, order);
      for (int64_t j = 0; j < length; ++j) {
        long double exact = 0;
        for (const std::vector<double>& row : rows) exact += static_cast<long double>(row[static_cast<size_t>(j)]);
        const double scale = size * std::pow(1e4, j % columns);
        assert_close(sum.totals()[j], exact, 1e-7 * scale);
      }
    }
    const std::vector<double> totals(sum.totals(), sum.totals() + length);
    if (first.empty()) first = totals;
    assert_true(totals == first);
    for (size_t i = addends - 1; i > 0; --i) {
      std::swap(order[i], order[static_cast<size_t>(random.uniform() * static_cast<double>(i + 1))]);
    }
  }
}

/// The sums of parts add up to the sum of all.
void parts_add_up(void**) {
  const Rows rows = draw(11, 1);
  GridSum whole, left, right;
  std::vector<size_t> order(addends);
  std::iota(order.begin(), order.end(), 0);
  whole.shape({{length, 1}});
  add(whole, rows, order);
  for (const size_t cut : {size_t{0}, size_t{1}, size_t{37}, addends}) {
    for (GridSum* part : {&left, &right}) {
      part->shape({{length, 1}});
      assert_true(part->restore(whole.exponents()));
      part->begin(addends);
    }
    for (size_t i = 0; i < addends; ++i) (i < cut ? left : right).add(0, rows[i].data(), length);
    for (int64_t j = 0; j < length; ++j) assert_true(left.totals()[j] + right.totals()[j] == whole.totals()[j]);
  }
}

void grids_follow_what_is_added(void**) {
  GridSum sum;
  sum.shape({{1, 1}});
  sum.begin(1);
  const double nothing = 0;
  assert_false(sum.choose(&nothing));
  const auto again = [&](double value) {
    sum.clear();
    sum.begin(1);
    sum.add(0, &value, 1);
    const double largest = std::abs(value);
    return sum.choose(&largest);
  };
  assert_true(again(1));
  assert_false(again(1));
  assert_true(sum.totals()[0] == 1);
  assert_false(again(120));
  assert_true(again(130));
  assert_false(again(-130));
  assert_false(again(1e-9));  // finer from the next sum on
  assert_false(again(1e-9));
  assert_close(sum.totals()[0], 1e-9, 1e-20);
  assert_true(again(1));
  assert_false(again(std::numeric_limits<double>::quiet_NaN()));
  assert_true(std::isnan(sum.totals()[0]));
  assert_false(sum.restore({0, 0}));
  assert_false(sum.restore({5000}));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(order_does_not_matter), cmocka_unit_test(parts_add_up),
                              cmocka_unit_test(grids_follow_what_is_added)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
