// Dense rows are split, each independently, into two parts of the requested size that make the whole.

#include <cmath>
#include <vector>

#include "evaluation/split_values.h"
#include "support/cmocka.h"

using namespace vtemper;

namespace {

DataPointer rows_of(const std::vector<double>& values, int64_t columns) {
  Dense dense;
  dense.columns = columns;
  dense.rows = static_cast<int64_t>(values.size()) / columns;
  dense.values = {values.data(), VTEMPER_DOUBLE};
  dense.row_stride = columns;
  dense.column_stride = 1;
  return data_from_dense(dense, true);
}

void halves_make_the_whole(void**) {
  constexpr int64_t columns = 9, rows = 40;
  std::vector<double> values(static_cast<size_t>(rows * columns));
  for (size_t i = 0; i < values.size(); ++i) values[i] = i % 11 == 0 ? std::nan("") : static_cast<double>(i);
  const DataPointer data = rows_of(values, columns);
  data_set_weights(*data, std::vector<double>(rows, 2.0));
  for (const double share : {0.3, 0.5}) {
    const DataPair halves = split_values(*data, share, 7);
    for (int64_t row = 0; row < rows; ++row) {
      int64_t there = 0, heldout = 0;
      for (int64_t column = 0; column < columns; ++column) {
        const double whole = data->dense().at(row, column);
        const double first = halves.first->dense().at(row, column), second = halves.second->dense().at(row, column);
        if (std::isnan(whole)) {
          assert_true(std::isnan(first) && std::isnan(second));
          continue;
        }
        assert_true(std::isnan(first) != std::isnan(second));
        assert_true((std::isnan(first) ? second : first) == whole);
        ++there;
        heldout += std::isnan(second) ? 0 : 1;
      }
      assert_true(heldout == std::llround(share * static_cast<double>(there)));
    }
    assert_true(halves.first->weight(3) == 2 && halves.second->weight(3) == 2);
  }
}

void the_seed_decides(void**) {
  const std::vector<double> values(30, 1.0);
  const DataPointer data = rows_of(values, 30);
  const auto draw = [&](uint64_t seed) {
    const DataPair halves = split_values(*data, 0.5, seed);
    std::vector<bool> there;
    for (int64_t column = 0; column < 30; ++column) there.push_back(std::isnan(halves.first->dense().at(0, column)));
    return there;
  };
  assert_true(draw(1) == draw(1));
  assert_true(draw(1) != draw(2));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(halves_make_the_whole), cmocka_unit_test(the_seed_decides)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
