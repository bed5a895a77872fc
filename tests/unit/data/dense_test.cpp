// Dense rows: strides, types, missing values and what is refused.

#include <cmath>
#include <limits>

#include "unit/data/fixtures.h"

using namespace vtemper;
using namespace vtemper::test;

namespace {

template <class Real>
Dense dense_of(const std::vector<Real>& values, int64_t rows, int64_t columns, int64_t row_stride,
               int64_t column_stride) {
  Dense dense;
  dense.rows = rows;
  dense.columns = columns;
  dense.values = typed_array(values.data());
  dense.row_stride = row_stride;
  dense.column_stride = column_stride;
  return dense;
}

void test_both_orders_and_types(void**) {
  const std::vector<double> by_rows = {1, 2, 3, 4, 5, 6};
  const std::vector<float> by_columns = {1, 4, 2, 5, 3, 6};
  for (const bool copy : {true, false}) {
    const DataPointer a = data_from_dense(dense_of(by_rows, 2, 3, 3, 1), copy);
    const DataPointer b = data_from_dense(dense_of(by_columns, 2, 3, 1, 2), copy);
    for (int64_t row = 0; row < 2; ++row) {
      for (int64_t column = 0; column < 3; ++column) {
        assert_true(a->dense().at(row, column) == 1 + 3 * static_cast<double>(row) + static_cast<double>(column));
        assert_true(a->dense().at(row, column) == b->dense().at(row, column));
      }
    }
    assert_true(data_total(*a) == 21);
    assert_int_equal(a->dense().values.data == by_rows.data(), !copy);
  }
}

void test_copy_is_a_copy(void**) {
  std::vector<double> values = {1, 2};
  const DataPointer data = data_from_dense(dense_of(values, 1, 2, 2, 1), true);
  values[0] = 7;
  assert_true(data->dense().at(0, 0) == 1);
}

void test_owner_is_kept(void**) {
  const std::vector<double> values = {1, 2};
  int releases = 0;
  Dense dense = dense_of(values, 1, 2, 2, 1);
  dense.owner = {&releases, [](int* count) { ++*count; }};
  DataPointer borrowed = data_from_dense(dense, false);
  const DataPointer copied = data_from_dense(dense, true);
  dense.owner.reset();
  assert_int_equal(releases, 0);
  borrowed.reset();
  assert_int_equal(releases, 1);
}

void test_missing_values(void**) {
  const std::vector<double> values = {1, std::nan(""), 3};
  const DataPointer data = data_from_dense(dense_of(values, 1, 3, 3, 1), true);
  assert_true(std::isnan(data->dense().at(0, 1)));
  assert_true(data_total(*data) == 4);
}

void test_repeated_row_by_stride_zero(void**) {
  const std::vector<double> values = {1, 2};
  const DataPointer data = data_from_dense(dense_of(values, 1000, 2, 0, 1), true);
  assert_true(data_total(*data) == 3000);
}

void test_empty(void**) {
  Dense dense;
  assert_int_equal(data_from_dense(dense, true)->rows(), 0);
  dense.columns = 5;
  assert_int_equal(data_from_dense(dense, false)->columns(), 5);
  dense.rows = 5;
  dense.columns = 0;
  assert_int_equal(data_from_dense(dense, false)->rows(), 5);
}

void refuse(vtemper_status status, const std::vector<std::string>& pieces, const Dense& dense) {
  for (const bool copy : {true, false}) {
    assert_refused(status, pieces, [&] { data_from_dense(dense, copy); });
  }
}

void test_refused(void**) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> values = {1, 2, 3, -infinity, 5, 6};
  const std::vector<float> narrow = {1, 2, std::numeric_limits<float>::infinity(), 4};
  refuse(VTEMPER_ERROR_DATA, {"row 1, column 0", "-inf"}, dense_of(values, 2, 3, 3, 1));
  refuse(VTEMPER_ERROR_DATA, {"row 1, column 1", "-inf"}, dense_of(values, 2, 3, 1, 2));
  refuse(VTEMPER_ERROR_DATA, {"row 1, column 0", "inf"}, dense_of(narrow, 2, 2, 2, 1));
  refuse(VTEMPER_ERROR_ARGUMENT, {"rows is -1"}, dense_of(values, -1, 3, 3, 1));
  refuse(VTEMPER_ERROR_ARGUMENT, {"columns is -1"}, dense_of(values, 2, -1, 3, 1));
  refuse(VTEMPER_ERROR_ARGUMENT, {"row_stride is -3"}, dense_of(values, 2, 3, -3, 1));
  refuse(VTEMPER_ERROR_ARGUMENT, {"column_stride is -1"}, dense_of(values, 2, 3, 3, -1));
  refuse(VTEMPER_ERROR_ARGUMENT, {"addressed"}, dense_of(values, INT64_MAX, 3, 0, 1));
  refuse(VTEMPER_ERROR_ARGUMENT, {"addressed"}, dense_of(values, INT64_MAX / 8, 2, 0, 1));
  refuse(VTEMPER_ERROR_ARGUMENT, {"strides", "address space"}, dense_of(values, 3, 3, INT64_MAX / 2, 1));
  refuse(VTEMPER_ERROR_ARGUMENT, {"strides", "address space"}, dense_of(values, 2, 3, INT64_MAX, INT64_MAX / 2));
  Dense dense = dense_of(values, 2, 3, 3, 1);
  dense.values.data = nullptr;
  refuse(VTEMPER_ERROR_ARGUMENT, {"values is NULL"}, dense);
  dense.values = {values.data(), VTEMPER_INT64};
  refuse(VTEMPER_ERROR_ARGUMENT, {"values_type is 2"}, dense);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_both_orders_and_types),
      cmocka_unit_test(test_copy_is_a_copy),
      cmocka_unit_test(test_owner_is_kept),
      cmocka_unit_test(test_missing_values),
      cmocka_unit_test(test_repeated_row_by_stride_zero),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
