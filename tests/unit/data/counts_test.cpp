// Counts from arrays: every combination of types, bases, layouts and ownership gives the same rows; invalid counts
// are refused with a message that names them.

#include <cmath>
#include <limits>

#include "unit/data/fixtures.h"

using namespace vtemper;
using namespace vtemper::test;

namespace {

constexpr size_t rows = 13, columns = 17;

/// Counts how often it was released.
std::shared_ptr<const void> hook(int& releases) {
  return {&releases, [](int* count) { ++*count; }};
}

template <class Offset, class Index, class Value>
void check_types(const Matrix& matrix) {
  for (const vtemper_layout layout : {VTEMPER_BY_ROWS, VTEMPER_BY_COLUMNS}) {
    for (const int64_t base : {0, 1}) {
      const auto arrays = arrays_of<Offset, Index, Value>(matrix, columns, layout, base);
      const DataPointer copied = data_from_counts(arrays.view(), nullptr);
      int releases = 0;
      DataPointer borrowed = data_from_counts(arrays.view(), hook(releases));
      // By columns, the arrays are released at once.
      assert_int_equal(releases, layout == VTEMPER_BY_ROWS ? 0 : 1);
      for (const DataPointer& data : {copied, borrowed}) {
        assert_int_equal(data->rows(), rows);
        assert_int_equal(data->columns(), columns);
        assert_int_equal(data->counts().entries, static_cast<int64_t>(arrays.indices.size()));
        assert_same(matrix_of<double>(*data), matrix);
        assert_same(matrix_of<float>(*data), matrix);
        assert_true(data_total(*data) == sum(matrix));
      }
      const bool uses_the_same_array = borrowed->counts().values.data == arrays.values.data();
      assert_int_equal(uses_the_same_array, layout == VTEMPER_BY_ROWS);
      assert_true(copied->counts().values.data != arrays.values.data());
      borrowed.reset();
      assert_int_equal(releases, 1);
    }
  }
}

template <class Offset, class Index>
void check_values(const Matrix& matrix) {
  check_types<Offset, Index, int32_t>(matrix);
  check_types<Offset, Index, int64_t>(matrix);
  check_types<Offset, Index, float>(matrix);
  check_types<Offset, Index, double>(matrix);
}

void test_every_type(void**) {
  Random random(1);
  const Matrix matrix = random_matrix(random, rows, columns);
  check_values<int32_t, int32_t>(matrix);
  check_values<int32_t, int64_t>(matrix);
  check_values<int64_t, int32_t>(matrix);
  check_values<int64_t, int64_t>(matrix);
}

void test_random_matrices(void**) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const size_t height = random.below(9), width = 1 + random.below(9);
    const Matrix matrix = random_matrix(random, height, width);
    for (const vtemper_layout layout : {VTEMPER_BY_ROWS, VTEMPER_BY_COLUMNS}) {
      const auto arrays = arrays_of<int32_t, int64_t, float>(matrix, width, layout, 1);
      assert_same(matrix_of(*data_from_counts(arrays.view(), nullptr)), matrix);
    }
  }
}

void test_release_waits_for_the_last_holder(void**) {
  Random random(2);
  const auto arrays =
      arrays_of<int64_t, int32_t, double>(random_matrix(random, rows, columns), columns, VTEMPER_BY_ROWS, 0);
  int releases = 0;
  DataPointer data = data_from_counts(arrays.view(), hook(releases));
  DataPointer shared = std::make_shared<Data>(*data);
  Counts counts = shared->counts();
  data.reset();
  shared.reset();
  assert_int_equal(releases, 0);
  counts = Counts();
  assert_int_equal(releases, 1);
}

void test_release_after_refusal(void**) {
  // The owner of the hook releases in any case; the C interface decides whether to call the host then.
  PlainArrays arrays{VTEMPER_BY_ROWS, 1, 1, 0, {0, 1}, {0}, {-1}};
  int releases = 0;
  assert_refused(VTEMPER_ERROR_DATA, {"row 0"}, [&] { data_from_counts(arrays.view(), hook(releases)); });
  assert_int_equal(releases, 1);
}

void test_zeros_and_order(void**) {
  const PlainArrays arrays{VTEMPER_BY_ROWS, 2, 5, 0, {0, 4, 4}, {4, 1, 0, 2}, {0.5, 0, 2, 1e-300}};
  const DataPointer data = data_from_counts(arrays.view(), nullptr);
  assert_int_equal(data->counts().entries, 4);
  int32_t read_columns[4];
  double values[4];
  assert_int_equal(data->counts().read_row(0, 4, read_columns, values), 3);
  assert_int_equal(read_columns[0], 4);
  assert_int_equal(read_columns[1], 0);
  assert_int_equal(read_columns[2], 2);
  assert_true(values[0] == 0.5 && values[1] == 2 && values[2] == 1e-300);
  float narrow[4];
  assert_int_equal(data->counts().read_row(0, 4, read_columns, narrow), 2);  // 1e-300 is zero in single precision
  assert_int_equal(data->counts().read_row(1, 0, read_columns, values), 0);
}

void test_long_rows_are_visited_whole(void**) {
  PlainArrays arrays{VTEMPER_BY_ROWS, 1, 1000, 0, {0, 1000}, {}, {}};
  for (int32_t i = 0; i < 1000; ++i) {
    arrays.indices.push_back(999 - i);
    arrays.values.push_back(i % 3);
  }
  const DataPointer data = data_from_counts(arrays.view(), nullptr);
  int32_t next = 0;
  data->counts().visit_row(0, [&](int32_t column, double value) {
    while (next % 3 == 0) ++next;
    assert_int_equal(column, 999 - next);
    assert_true(value == next % 3);
    ++next;
  });
  assert_int_equal(next, 999);
}

void test_no_entries(void**) {
  for (const vtemper_layout layout : {VTEMPER_BY_ROWS, VTEMPER_BY_COLUMNS}) {
    const std::vector<int32_t> offsets(8, 1);
    CountsArrays arrays;
    arrays.layout = layout;
    arrays.rows = arrays.columns = 7;
    arrays.offsets = typed_array(offsets.data());
    arrays.indices.element = VTEMPER_INT32;
    arrays.index_base = 1;
    const DataPointer data = data_from_counts(arrays, nullptr);
    assert_int_equal(data->counts().entries, 0);
    assert_true(data_total(*data) == 0);
    assert_int_equal(data->counts().row_length(6), 0);
  }
}

void refuse(vtemper_status status, const std::vector<std::string>& pieces, const PlainArrays& arrays) {
  assert_refused(status, pieces, [&] { data_from_counts(arrays.view(), nullptr); });
  int releases = 0;
  assert_refused(status, pieces, [&] { data_from_counts(arrays.view(), hook(releases)); });
}

void test_refused_values(void**) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const auto with = [](double value) {
    return PlainArrays{VTEMPER_BY_ROWS, 2, 3, 0, {0, 1, 3}, {0, 2, 1}, {1, value, -7}};
  };
  refuse(VTEMPER_ERROR_DATA, {"row 1, column 2", "nan"}, with(nan));
  refuse(VTEMPER_ERROR_DATA, {"row 1, column 2", "inf"}, with(infinity));
  refuse(VTEMPER_ERROR_DATA, {"row 1, column 2", "-0.5"}, with(-0.5));
  refuse(VTEMPER_ERROR_DATA, {"row 1, column 1", "-7"}, with(0));
  PlainArrays by_columns{VTEMPER_BY_COLUMNS, 3, 2, 1, {1, 2, 4}, {1, 3, 2}, {1, 2, nan}};
  refuse(VTEMPER_ERROR_DATA, {"row 1, column 1", "nan"}, by_columns);

  const Arrays<int64_t, int64_t, int64_t> whole{VTEMPER_BY_ROWS, 1, 3, 0, {0, 1}, {2}, {INT64_MIN}};
  assert_refused(VTEMPER_ERROR_DATA, {"row 0, column 2", "-9223372036854775808"},
                 [&] { data_from_counts(whole.view(), nullptr); });
  const Arrays<int64_t, int64_t, float> single{VTEMPER_BY_ROWS, 1, 3, 0, {0, 1}, {2}, {-1.5f}};
  assert_refused(VTEMPER_ERROR_DATA, {"row 0, column 2", "-1.5"}, [&] { data_from_counts(single.view(), nullptr); });
}

void test_refused_indices(void**) {
  const auto with = [](int32_t index, int64_t base) {
    return PlainArrays{VTEMPER_BY_ROWS, 2, 3, base, {base, base + 1, base + 3}, {1, index, 2}, {1, 1, 1}};
  };
  refuse(VTEMPER_ERROR_DATA, {"row 1", "column index 3", "between 0 and 2"}, with(3, 0));
  refuse(VTEMPER_ERROR_DATA, {"row 1", "column index -1"}, with(-1, 0));
  refuse(VTEMPER_ERROR_DATA, {"row 1", "column index 0", "between 1 and 3"}, with(0, 1));
  refuse(VTEMPER_ERROR_DATA, {"row 1", "column index 4"}, with(4, 1));
  refuse(VTEMPER_ERROR_DATA, {"row 1", "column index 2147483647"}, with(INT32_MAX, 1));
  refuse(VTEMPER_ERROR_DATA, {"row 1, column 2", "twice"}, with(2, 0));
  refuse(VTEMPER_ERROR_DATA, {"row 1, column 1", "twice"}, with(2, 1));
  refuse(VTEMPER_ERROR_DATA, {"column 0", "row index 2", "between 0 and 1"},
         {VTEMPER_BY_COLUMNS, 2, 3, 0, {0, 1, 1, 1}, {2}, {1}});
  refuse(VTEMPER_ERROR_DATA, {"row 1, column 2", "twice"},
         {VTEMPER_BY_COLUMNS, 2, 3, 0, {0, 0, 0, 2}, {1, 1}, {1, 1}});
  // Not adjacent: the row is sorted to find the duplicate.
  refuse(VTEMPER_ERROR_DATA, {"row 0, column 3", "twice"},
         {VTEMPER_BY_ROWS, 1, 9, 0, {0, 5}, {3, 7, 1, 3, 2}, {1, 1, 1, 1, 1}});
  const Arrays<int32_t, int64_t, double> wide{VTEMPER_BY_ROWS, 1, 3, 1, {1, 2}, {INT64_MIN}, {1}};
  assert_refused(VTEMPER_ERROR_DATA, {"row 0", "-9223372036854775808"},
                 [&] { data_from_counts(wide.view(), nullptr); });
}

void test_refused_offsets(void**) {
  const auto with = [](std::vector<int64_t> offsets) {
    return PlainArrays{VTEMPER_BY_ROWS, 3, 3, 0, std::move(offsets), {0, 1, 2, 0, 1, 2}, {1, 1, 1, 1, 1, 1}};
  };
  refuse(VTEMPER_ERROR_DATA, {"offsets[0] is 1", "index_base"}, with({1, 2, 3, 4}));
  refuse(VTEMPER_ERROR_DATA, {"offsets[0] is -1"}, with({-1, 2, 3, 4}));
  refuse(VTEMPER_ERROR_DATA, {"decrease at row 1", "from 3 to 2"}, with({0, 3, 2, 4}));
  refuse(VTEMPER_ERROR_DATA, {"decrease at row 2"}, with({0, 3, 3, INT64_MIN}));
  refuse(VTEMPER_ERROR_DATA, {"row 1 has 9223372036854775804 entries", "only 3 columns"},
         with({0, 3, INT64_MAX, INT64_MAX}));
  PlainArrays by_columns = with({0, 1, 0, 0});
  by_columns.layout = VTEMPER_BY_COLUMNS;
  refuse(VTEMPER_ERROR_DATA, {"decrease at column 1"}, by_columns);
}

void test_refused_sizes(void**) {
  const auto with = [](int64_t height, int64_t width, int64_t base) {
    return PlainArrays{VTEMPER_BY_ROWS, height, width, base, {0, 0}, {}, {}};
  };
  refuse(VTEMPER_ERROR_ARGUMENT, {"rows is -1"}, with(-1, 1, 0));
  refuse(VTEMPER_ERROR_ARGUMENT, {"rows is 9223372036854775807"}, with(INT64_MAX, 1, 0));
  refuse(VTEMPER_ERROR_ARGUMENT, {"columns is -1"}, with(1, -1, 0));
  refuse(VTEMPER_ERROR_ARGUMENT, {"columns is 2147483648", "2147483647"}, with(1, INT64_C(1) << 31, 0));
  refuse(VTEMPER_ERROR_ARGUMENT, {"index_base is 2"}, with(1, 1, 2));
  CountsArrays arrays = with(1, 1, 0).view();
  arrays.offsets.data = nullptr;
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"offsets is NULL"}, [&] { data_from_counts(arrays, nullptr); });
  PlainArrays one{VTEMPER_BY_ROWS, 1, 1, 0, {0, 1}, {0}, {1}};
  arrays = one.view();
  arrays.indices.data = nullptr;
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"indices is NULL"}, [&] { data_from_counts(arrays, nullptr); });
  arrays = one.view();
  arrays.values.data = nullptr;
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"values is NULL"}, [&] { data_from_counts(arrays, nullptr); });
  arrays = one.view();
  arrays.offsets.element = VTEMPER_DOUBLE;
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"no integers"}, [&] { data_from_counts(arrays, nullptr); });
}

void test_too_large_for_single_precision(void**) {
  const PlainArrays arrays{VTEMPER_BY_ROWS, 1, 3, 0, {0, 1}, {1}, {1e300}};
  const DataPointer data = data_from_counts(arrays.view(), nullptr);
  assert_true(matrix_of<double>(*data)[0][1] == 1e300);
  assert_refused(VTEMPER_ERROR_DATA, {"row 0, column 1", "1e+300", "single precision"},
                 [&] { matrix_of<float>(*data); });
}

void test_borrowed_arrays_that_change_are_refused_not_followed(void**) {
  PlainArrays arrays{VTEMPER_BY_ROWS, 2, 3, 0, {0, 1, 2}, {0, 2}, {1, 1}};
  int releases = 0;
  const DataPointer data = data_from_counts(arrays.view(), hook(releases));
  arrays.indices[1] = 3;
  assert_refused(VTEMPER_ERROR_DATA, {"row 1", "column 3"}, [&] { data_total(*data); });
  arrays.offsets[1] = 5;
  assert_refused(VTEMPER_ERROR_DATA, {"row 0", "offsets 0 and 5"}, [&] { data->counts().row_length(0); });
}

/// Others may write to the mapped offsets: no more of a row is read than memory was allocated for.
void test_rows_that_change_while_they_are_read(void**) {
  PlainArrays arrays{VTEMPER_BY_ROWS, 2, 5, 0, {0, 2, 4}, {0, 1, 2, 3}, {1, 2, 3, 4}};
  int releases = 0;
  const DataPointer data = data_from_counts(arrays.view(), hook(releases));
  int32_t columns_read[] = {-1, -1, -1, -1};
  double values[] = {0, 0, 0, 0};
  const int64_t length = data->counts().row_length(0);
  assert_int_equal(length, 2);
  const auto read = [&](int64_t row) { return data->counts().read_row(row, length, columns_read, values); };
  arrays.offsets[1] = 4;
  assert_int_equal(read(0), 2);
  assert_true(columns_read[1] == 1 && columns_read[2] == -1 && values[2] == 0);
  arrays.offsets[1] = 1;
  assert_refused(VTEMPER_ERROR_DATA, {"row 0 was changed while it was read"}, [&] { read(0); });
  for (const int64_t nowhere : {int64_t{-1}, int64_t{5}, INT64_MAX}) {
    arrays.offsets[1] = nowhere;
    for (const int64_t row : {0, 1}) assert_refused(VTEMPER_ERROR_DATA, {"has the offsets"}, [&] { read(row); });
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_every_type),
      cmocka_unit_test(test_random_matrices),
      cmocka_unit_test(test_release_waits_for_the_last_holder),
      cmocka_unit_test(test_release_after_refusal),
      cmocka_unit_test(test_zeros_and_order),
      cmocka_unit_test(test_long_rows_are_visited_whole),
      cmocka_unit_test(test_no_entries),
      cmocka_unit_test(test_refused_values),
      cmocka_unit_test(test_refused_indices),
      cmocka_unit_test(test_refused_offsets),
      cmocka_unit_test(test_refused_sizes),
      cmocka_unit_test(test_too_large_for_single_precision),
      cmocka_unit_test(test_borrowed_arrays_that_change_are_refused_not_followed),
      cmocka_unit_test(test_rows_that_change_while_they_are_read),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
