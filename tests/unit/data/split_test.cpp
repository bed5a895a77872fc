// Rows selected and split, tokens split: nothing is lost, sizes are exact, and only the seed decides.

#include <cmath>

#include "data/hypergeometric.h"
#include "support/assert.h"
#include "unit/data/fixtures.h"

using namespace vtemper;
using namespace vtemper::test;

namespace {

DataPointer named_corpus(size_t rows, size_t columns, uint64_t seed) {
  Random random(seed);
  const DataPointer data = data_of(random_matrix(random, rows, columns), columns);
  Names names;
  std::vector<double> weights;
  for (size_t column = 0; column < columns; ++column) names.push_back(message("w", static_cast<int64_t>(column)));
  for (size_t row = 0; row < rows; ++row) weights.push_back(static_cast<double>(row) + 0.5);
  data_set_names(*data, names);
  data_set_weights(*data, weights);
  return data;
}

void test_select(void**) {
  const DataPointer data = named_corpus(10, 6, 1);
  const Matrix matrix = matrix_of(*data);
  const int64_t rows[] = {3, 0, 3, 9};
  const DataPointer selected = data_select(*data, rows, 4);
  assert_same(matrix_of(*selected), {matrix[3], matrix[0], matrix[3], matrix[9]});
  assert_true(selected->weight(0) == 3.5 && selected->weight(3) == 9.5);
  assert_true(*selected->names == *data->names);
  assert_int_equal(data_select(*data, rows, 0)->rows(), 0);
  const int64_t beyond[] = {0, 10}, negative[] = {-1};
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"rows[1] is 10", "10 rows"}, [&] { data_select(*data, beyond, 2); });
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"rows[0] is -1"}, [&] { data_select(*data, negative, 1); });
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"count is -1"}, [&] { data_select(*data, rows, -1); });
}

void test_select_dense(void**) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  Dense dense;
  dense.rows = 3;
  dense.columns = 2;
  dense.values = typed_array(values.data());
  dense.row_stride = 1;
  dense.column_stride = 3;
  const int64_t rows[] = {2, 0};
  const DataPointer selected = data_select(*data_from_dense(dense, true), rows, 2);
  assert_int_equal(selected->rows(), 2);
  assert_true(selected->dense().at(0, 0) == 3 && selected->dense().at(0, 1) == 6);
  assert_true(selected->dense().at(1, 0) == 1 && selected->dense().at(1, 1) == 4);
}

/// Weights identify the rows.
void test_split_rows(void**) {
  for (const size_t size : {0, 1, 2, 17, 100}) {
    const DataPointer data = named_corpus(size, 5, size);
    for (const double share : {0.1, 0.5, 0.93}) {
      const DataPair pair = data_split(*data, share, 42);
      assert_int_equal(pair.second->rows(), std::llround(share * static_cast<double>(size)));
      assert_int_equal(pair.first->rows() + pair.second->rows(), static_cast<int64_t>(size));
      std::vector<bool> seen(size);
      for (const DataPointer& part : {pair.first, pair.second}) {
        double before = -1;
        for (int64_t row = 0; row < part->rows(); ++row) {
          const double weight = part->weight(row);
          assert_true(weight > before);  // order is kept
          before = weight;
          const auto original = static_cast<size_t>(weight);
          assert_false(seen[original]);
          seen[original] = true;
          const int64_t selected = static_cast<int64_t>(original);
          assert_same({matrix_of(*part)[static_cast<size_t>(row)]}, matrix_of(*data_select(*data, &selected, 1)));
        }
        assert_true(*part->names == *data->names);
      }
      const DataPair again = data_split(*data, share, 42);
      assert_same(matrix_of(*again.second), matrix_of(*pair.second));
    }
  }
  const DataPointer data = named_corpus(100, 5, 1);
  assert_true(matrix_of(*data_split(*data, 0.5, 1).first) != matrix_of(*data_split(*data, 0.5, 2).first));
}

void test_shares(void**) {
  const DataPointer data = named_corpus(10, 5, 1);
  for (const double share : {0.0, 1.0, -0.1, 1.5, std::nan("")}) {
    assert_refused(VTEMPER_ERROR_ARGUMENT, {"share is", number_text(share)}, [&] { data_split(*data, share, 1); });
    assert_refused(VTEMPER_ERROR_ARGUMENT, {"share is", number_text(share)},
                   [&] { data_split_counts(*data, share, 1); });
  }
}

void test_split_counts_conserves(void**) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const DataPointer data = named_corpus(30, 40, seed);
    const Matrix matrix = matrix_of(*data);
    const double share = 0.05 + 0.045 * static_cast<double>(seed);
    const DataPair pair = data_split_counts(*data, share, seed);
    const Matrix observed = matrix_of(*pair.first), heldout = matrix_of(*pair.second);
    for (size_t row = 0; row < matrix.size(); ++row) {
      for (size_t column = 0; column < 40; ++column) {
        assert_true(observed[row][column] + heldout[row][column] == matrix[row][column]);
        assert_true(heldout[row][column] == std::floor(heldout[row][column]));
      }
      assert_true(sum({heldout[row]}) == static_cast<double>(std::llround(share * sum({matrix[row]}))));
    }
    for (const DataPointer& part : {pair.first, pair.second}) {
      assert_int_equal(part->rows(), 30);
      assert_int_equal(part->columns(), 40);
      assert_true(*part->names == *data->names);
      assert_true(part->weight(3) == 3.5);
    }
    assert_same(matrix_of(*data_split_counts(*data, share, seed).second), heldout);
  }
}

/// A row's draw depends on the seed and its number only: not on the rows around it.
void test_split_counts_by_row(void**) {
  const DataPointer data = named_corpus(30, 40, 5);
  const int64_t rows[] = {0, 1, 2, 3};
  const Matrix whole = matrix_of(*data_split_counts(*data, 0.5, 9).second);
  const Matrix part = matrix_of(*data_split_counts(*data_select(*data, rows, 4), 0.5, 9).second);
  for (size_t row = 0; row < 4; ++row) assert_same({part[row]}, {whole[row]});
  assert_true(whole != matrix_of(*data_split_counts(*data, 0.5, 10).second));
}

void test_split_counts_refused(void**) {
  const DataPointer fractional = data_of({{1, 2}, {0, 2.5}}, 2);
  assert_refused(VTEMPER_ERROR_DATA, {"row 1, column 1", "2.5", "whole"},
                 [&] { data_split_counts(*fractional, 0.5, 1); });
  const DataPointer huge = data_of({{1, 2}, {1e9, 2e9}}, 2);
  assert_refused(VTEMPER_ERROR_DATA, {"row 1", "2147483648"}, [&] { data_split_counts(*huge, 0.5, 1); });
  Dense dense;
  assert_refused(VTEMPER_ERROR_UNSUPPORTED, {"dense"},
                 [&] { data_split_counts(*data_from_dense(dense, true), 0.5, 1); });
}

/// Both ways to draw have the mean and the variance of the distribution, and stay in its range.
void check_draws(int64_t tokens, int64_t special, int64_t drawn) {
  constexpr int draws = 20000;
  const double n = static_cast<double>(tokens), k = static_cast<double>(special), d = static_cast<double>(drawn);
  const double mean = d * k / n, variance = mean * (1 - k / n) * (n - d) / (n - 1);
  double total = 0, squares = 0;
  RandomStream stream(1, Purpose::split_counts, 0, static_cast<uint64_t>(special));
  for (int i = 0; i < draws; ++i) {
    const int64_t hits = draw_hypergeometric(stream, tokens, special, drawn);
    assert_in_range(static_cast<uintmax_t>(hits),
                    static_cast<uintmax_t>(std::max<int64_t>(0, special + drawn - tokens)),
                    static_cast<uintmax_t>(std::min(special, drawn)));
    const double off = static_cast<double>(hits) - mean;
    total += off;
    squares += off * off;
  }
  assert_close(total / draws, 0, 5 * std::sqrt(variance / draws) + 1e-9);
  assert_close(squares / draws, variance, 0.06 * variance + 1e-9);
}

void test_draws(void**) {
  check_draws(10, 3, 5);
  check_draws(1000, 30, 400);   // one by one
  check_draws(1000, 400, 30);   // one by one, the roles exchanged
  check_draws(1000, 100, 500);  // by inversion
  check_draws(1000, 900, 950);  // range that does not begin at zero
  check_draws(200, 199, 100);
  check_draws(INT64_C(1) << 31, INT64_C(1) << 13, INT64_C(1) << 30);
  RandomStream stream(1, Purpose::split_counts, 0, 0);
  assert_int_equal(draw_hypergeometric(stream, 0, 0, 0), 0);
  assert_int_equal(draw_hypergeometric(stream, 7, 7, 3), 3);
  assert_int_equal(draw_hypergeometric(stream, 1000, 500, 0), 0);
  assert_int_equal(draw_hypergeometric(stream, 1000, 500, 1000), 500);
}

/// The probability of every number of hits, against the formula.
void test_distribution(void**) {
  constexpr int64_t tokens = 80, special = 40, drawn = 36;
  constexpr int draws = 100000;
  std::vector<double> found(special + 1);
  RandomStream stream(7, Purpose::split_counts, 0, 0);
  for (int i = 0; i < draws; ++i) {
    found[static_cast<size_t>(draw_hypergeometric(stream, tokens, special, drawn))] += 1.0 / draws;
  }
  const auto log_choose = [](double n, double k) {
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
  };
  for (int64_t hits = 0; hits <= drawn; ++hits) {
    const double expected =
        std::exp(log_choose(special, static_cast<double>(hits)) +
                 log_choose(tokens - special, static_cast<double>(drawn - hits)) - log_choose(tokens, drawn));
    assert_close(found[static_cast<size_t>(hits)], expected, 5 * std::sqrt(expected / draws) + 1e-4);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_select),
      cmocka_unit_test(test_select_dense),
      cmocka_unit_test(test_split_rows),
      cmocka_unit_test(test_shares),
      cmocka_unit_test(test_split_counts_conserves),
      cmocka_unit_test(test_split_counts_by_row),
      cmocka_unit_test(test_split_counts_refused),
      cmocka_unit_test(test_draws),
      cmocka_unit_test(test_distribution),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
