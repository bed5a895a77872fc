// Names, weights, and columns reordered to match a reference.

#include <cmath>

#include "unit/data/fixtures.h"

using namespace vtemper;
using namespace vtemper::test;

namespace {

void test_names(void**) {
  const DataPointer data = data_of({{1, 2, 3}}, 3);
  assert_true(data->names == nullptr);
  data_set_names(*data, {"a", "\xc3\xa4", "c"});
  assert_true(*data->names == Names({"a", "\xc3\xa4", "c"}));
  const auto refuse = [&](vtemper_status status, const std::vector<std::string>& pieces, Names names) {
    assert_refused(status, pieces, [&] { data_set_names(*data, names); });
    assert_string_equal((*data->names)[0].c_str(), "a");  // a failed call changes nothing
  };
  refuse(VTEMPER_ERROR_ARGUMENT, {"2 names", "3 columns"}, {"a", "b"});
  refuse(VTEMPER_ERROR_DATA, {"names[2]", "'b'", "names[0]"}, {"b", "x", "b"});
  refuse(VTEMPER_ERROR_DATA, {"names[1] is empty"}, {"x", "", "y"});
  refuse(VTEMPER_ERROR_DATA, {"names[1]", "UTF-8"}, {"x", "\xff", "y"});
  refuse(VTEMPER_ERROR_DATA, {"names[2]", "zero byte"}, {"x", "y", std::string("z\0", 2)});
}

void test_weights(void**) {
  const DataPointer data = data_of({{1}, {2}, {3}}, 1);
  assert_true(data->weight(2) == 1);
  data_set_weights(*data, {1, 0, 2.5});
  assert_true(data->weight(1) == 0 && data->weight(2) == 2.5);
  const auto refuse = [&](vtemper_status status, const std::vector<std::string>& pieces,
                          const std::vector<double>& weights) {
    assert_refused(status, pieces, [&] { data_set_weights(*data, weights); });
    assert_true(data->weight(2) == 2.5);
  };
  refuse(VTEMPER_ERROR_ARGUMENT, {"2 weights", "3 rows"}, {1, 1});
  refuse(VTEMPER_ERROR_DATA, {"weights[1]", "-1"}, {1, -1, 1});
  refuse(VTEMPER_ERROR_DATA, {"weights[2]", "nan"}, {1, 1, std::nan("")});
  refuse(VTEMPER_ERROR_DATA, {"weights[0]", "inf"}, {INFINITY, 1, 1});
}

void test_align(void**) {
  const DataPointer data = data_of({{1, 2, 3, 4}, {0, 0, 0, 0}, {0, 5, 0, 0}}, 4);
  data_set_names(*data, {"a", "b", "c", "d"});
  data_set_weights(*data, {1, 2, 3});
  const Aligned aligned = data_align(*data, {"d", "new", "a", "c"});
  assert_true(aligned.unknown_tokens == 7);
  assert_same(matrix_of(*aligned.data), {{4, 0, 1, 3}, {0, 0, 0, 0}, {0, 0, 0, 0}});
  assert_true(*aligned.data->names == Names({"d", "new", "a", "c"}));
  assert_true(aligned.data->weight(2) == 3);
  // The entries of a row ascend.
  int32_t columns[4];
  double values[4];
  assert_int_equal(aligned.data->counts().read_row(0, aligned.data->counts().row_length(0), columns, values), 3);
  assert_int_equal(columns[0], 0);
  assert_int_equal(columns[1], 2);
  assert_int_equal(columns[2], 3);
}

void test_align_to_itself(void**) {
  Random random(3);
  const Matrix matrix = random_matrix(random, 20, 30);
  const DataPointer data = data_of(matrix, 30);
  Names names;
  for (int64_t column = 0; column < 30; ++column) names.push_back(message("w", column));
  data_set_names(*data, names);
  const Aligned same = data_align(*data, names);
  assert_same(matrix_of(*same.data), matrix);
  assert_true(same.unknown_tokens == 0);
  // There and back through the reverse order.
  const Names reversed(names.rbegin(), names.rend());
  assert_same(matrix_of(*data_align(*data_align(*data, reversed).data, names).data), matrix);
  const Aligned nothing = data_align(*data, {});
  assert_int_equal(nothing.data->columns(), 0);
  assert_true(nothing.unknown_tokens == sum(matrix));
}

void test_align_refused(void**) {
  const DataPointer data = data_of({{1, 2}}, 2);
  assert_refused(VTEMPER_ERROR_STATE, {"no names"}, [&] { data_align(*data, {"a"}); });
  data_set_names(*data, {"a", "b"});
  assert_refused(VTEMPER_ERROR_DATA, {"names[1]", "'a'"}, [&] { data_align(*data, {"a", "a"}); });
  assert_refused(VTEMPER_ERROR_DATA, {"names[0] is empty"}, [&] { data_align(*data, {""}); });
  const std::vector<double> values = {1};
  Dense dense;
  dense.rows = dense.columns = dense.row_stride = dense.column_stride = 1;
  dense.values = typed_array(values.data());
  const DataPointer of_dense = data_from_dense(dense, true);
  data_set_names(*of_dense, {"a"});
  assert_refused(VTEMPER_ERROR_UNSUPPORTED, {"dense"}, [&] { data_align(*of_dense, {"a"}); });
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_names),           cmocka_unit_test(test_weights),       cmocka_unit_test(test_align),
      cmocka_unit_test(test_align_to_itself), cmocka_unit_test(test_align_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
