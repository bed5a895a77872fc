// The mapped corpus file: written, opened, verified; any fault in one is detected when it is opened, when the row is
// read, or by verify.

#include <unistd.h>

#include <cmath>
#include <limits>

#include "data/mapped/mapped.h"
#include "storage/container.h"
#include "storage/file_contents.h"
#include "unit/data/fixtures.h"

using namespace vtemper;
using namespace vtemper::test;

namespace {

constexpr size_t rows = 20, columns = 30;

DataPointer corpus(uint64_t seed) {
  Random random(seed);
  return data_of(random_matrix(random, rows, columns), columns);
}

void test_written_and_opened(void**) {
  Folder folder;
  const DataPointer data = corpus(1);
  const std::string path = folder.path("corpus");
  data_write(*data, path);
  for (const char* format : {"auto", "mapped"}) {
    const DataPointer opened = data_read(path, format);
    assert_int_equal(opened->rows(), rows);
    assert_int_equal(opened->columns(), columns);
    assert_int_equal(opened->counts().entries, data->counts().entries);
    assert_same(matrix_of<double>(*opened), matrix_of(*data));
    assert_same(matrix_of<float>(*opened), matrix_of(*data));
    assert_true(opened->names == nullptr && !opened->weights);
    data_verify(*opened);
  }
  data_verify(*data);  // nothing to do
}

void test_names_and_weights(void**) {
  Folder folder;
  const DataPointer data = corpus(2);
  Names names;
  std::vector<double> weights;
  for (size_t i = 0; i < columns; ++i) names.push_back(message("\xc3\xa4", static_cast<int64_t>(i)));
  for (size_t i = 0; i < rows; ++i) weights.push_back(static_cast<double>(i) / 4);
  data_set_names(*data, names);
  data_set_weights(*data, weights);
  const std::string path = folder.path("corpus");
  data_write(*data, path);
  DataPointer opened = data_read(path, "auto");
  assert_true(*opened->names == names);
  assert_true(opened->weight(7) == 7.0 / 4);
  data_verify(*opened);
  // Data derived from it outlive it.
  const std::shared_ptr<const double> kept_weights = opened->weights.values;
  const int64_t chosen[] = {7, 19};
  const DataPointer selected = data_select(*opened, chosen, 2);
  const DataPointer observed = data_split_counts(*opened, 0.5, 1).first;
  opened.reset();
  assert_true(kept_weights.get()[7] == 7.0 / 4);
  assert_true(selected->weight(1) == 19.0 / 4);
  assert_true(observed->weight(19) == 19.0 / 4);
  // Weights can be replaced; the file does not change.
  opened = data_read(path, "auto");
  data_set_weights(*opened, std::vector<double>(rows, 3));
  assert_true(opened->weight(7) == 3);
  assert_true(data_read(path, "auto")->weight(7) == 7.0 / 4);
}

template <class Offset, class Index, class Value>
void check_form(double scale) {
  Folder folder;
  Random random(3);
  Matrix matrix = random_matrix(random, rows, columns);
  for (auto& row : matrix) {
    for (double& value : row) value *= scale;
  }
  for (const int64_t base : {0, 1}) {
    const auto arrays = arrays_of<Offset, Index, Value>(matrix, columns, VTEMPER_BY_ROWS, base);
    const DataPointer data = data_from_counts(arrays.view(), nullptr);
    const std::string path = folder.path("corpus"), again = folder.path("again");
    data_write(*data, path);
    const DataPointer opened = data_read(path, "auto");
    assert_same(matrix_of(*opened), matrix);
    // A mapped corpus is written as it is: the same bytes; also over itself.
    data_write(*opened, again);
    assert_true(contents(path) == contents(again));
    data_write(*opened, path);
    assert_same(matrix_of(*opened), matrix);
    assert_true(contents(path) == contents(again));
  }
}

void test_every_form_is_written(void**) {
  check_form<int64_t, int32_t, int32_t>(1);
  check_form<int64_t, int32_t, float>(0.5);
  check_form<int64_t, int32_t, double>(0.3);
  check_form<int32_t, int64_t, int64_t>(3e9);
  check_form<int32_t, int32_t, float>(1);
}

void test_empty(void**) {
  Folder folder;
  for (const size_t height : {size_t{0}, size_t{3}}) {
    const DataPointer data = data_of(Matrix(height, std::vector<double>(5)), 5);
    const std::string path = folder.path("corpus");
    data_write(*data, path);
    const DataPointer opened = data_read(path, "auto");
    assert_int_equal(opened->rows(), static_cast<int64_t>(height));
    assert_int_equal(opened->columns(), 5);
    assert_true(data_total(*opened) == 0);
    data_verify(*opened);
  }
}

/// Dense rows of either type, with other strides, a missing value, names and weights, are read back unchanged; faults
/// in such a file are detected.
template <class Real>
void check_dense(vtemper_element element) {
  Folder folder;
  const std::string path = folder.path("rows");
  std::vector<Real> values(24);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Real>(i) / 4;
  values[5] = std::numeric_limits<Real>::quiet_NaN();
  Dense dense;
  dense.rows = 4;
  dense.columns = 3;
  dense.values = {values.data(), element};
  dense.row_stride = 6;
  dense.column_stride = 2;
  const auto data = std::make_shared<Data>(*data_from_dense(dense, true));
  data_set_names(*data, {"a", "b", "c"});
  data_set_weights(*data, {1, 2, 0.5, 0});
  data_write(*data, path);
  const DataPointer opened = data_read(path, "auto");
  data_verify(*opened);
  assert_true(opened->is<Dense>() && opened->dense().values.element == element);
  assert_int_equal(opened->rows(), 4);
  assert_int_equal(opened->columns(), 3);
  assert_true(*opened->names == *data->names);
  for (int64_t row = 0; row < 4; ++row) {
    assert_true(opened->weight(row) == data->weight(row));
    for (int64_t column = 0; column < 3; ++column) {
      const double before = dense.at(row, column), after = opened->dense().at(row, column);
      assert_true(std::isnan(before) ? std::isnan(after) : before == after);
    }
  }
  data_write(*opened, folder.path("again"));
  assert_true(contents(path) == contents(folder.path("again")));

  ContainerWriter infinite("vtemper.corpus");
  const double bad[2] = {0, INFINITY};
  infinite.text("rows", "1");
  infinite.text("columns", "2");
  infinite.tensor("values", Element::f64, {1, 2}, bad);
  infinite.write_file(path);
  assert_refused(VTEMPER_ERROR_FORMAT, {"row 0, column 1", "infinite"},
                 [&] { data_verify(*data_read(path, "auto")); });
  assert_refused(VTEMPER_ERROR_FORMAT, {"row 0, column 1", "infinite"},
                 [&] { data_total(*data_read(path, "auto")); });
  ContainerWriter other("vtemper.corpus");
  other.text("rows", "2");
  other.text("columns", "2");
  other.tensor("values", Element::f64, {1, 2}, bad);
  other.write_file(path);
  assert_refused(VTEMPER_ERROR_FORMAT, {"values is 1 x 2", "2 x 2"}, [&] { data_read(path, "auto"); });
}

void test_dense(void**) {
  check_dense<float>(VTEMPER_FLOAT);
  check_dense<double>(VTEMPER_DOUBLE);
}

void test_not_written(void**) {
  Folder folder;
  const std::string path = folder.path("corpus");
  assert_refused(VTEMPER_ERROR_IO, {"/nowhere/corpus"},
                 [&] { data_write(*corpus(1), folder.path() + "/nowhere/corpus"); });
  assert_int_equal(access(path.c_str(), F_OK), -1);
}

void test_damage_by_accident(void**) {
  Folder folder;
  const std::string path = folder.path("corpus");
  data_write(*corpus(4), path);
  const std::string whole = contents(path);
  for (size_t length = 0; length < whole.size(); length += 37) {
    const std::string cut = folder.write(whole.substr(0, length), "cut");
    assert_refused(VTEMPER_ERROR_FORMAT, {cut}, [&] { data_read(cut, "mapped"); });
  }
  // Any flipped bit is detected when the file is opened, read or verified, and never leads to an access outside the
  // arrays.
  for (size_t byte = 0; byte < whole.size(); byte += 3) {
    std::string flipped = whole;
    flipped[byte] = static_cast<char>(flipped[byte] ^ (1 << (byte % 8)));
    const std::string damaged = folder.write(flipped, "damaged");
    assert_refused(VTEMPER_ERROR_FORMAT, {damaged}, [&] {
      const DataPointer opened = data_read(damaged, "mapped");
      try {
        data_total(*opened);
      } catch (const Error&) {
      }
      data_verify(*opened);
    });
  }
}

/// The arrays of a file, to be falsified. The hashes are correct: such files are made on purpose, not by accident.
struct Forged {
  std::string rows = "3", columns = "4";
  std::vector<int64_t> offsets = {0, 2, 2, 4};
  std::vector<int32_t> indices = {0, 3, 1, 2};
  std::vector<double> values = {1, 2, 3, 4};
  std::vector<double> weights;
  std::string names;
  std::vector<int64_t> name_offsets;

  std::string write(Folder& folder) const {
    ContainerWriter writer(corpus_format);
    writer.text("rows", rows);
    writer.text("columns", columns);
    writer.tensor("offsets", Element::i64, {static_cast<int64_t>(offsets.size())}, offsets.data());
    writer.tensor("indices", Element::i32, {static_cast<int64_t>(indices.size())}, indices.data());
    writer.tensor("values", Element::f64, {static_cast<int64_t>(values.size())}, values.data());
    if (!weights.empty()) writer.keep("weights", weights);
    if (!name_offsets.empty()) {
      writer.keep("names", names);
      writer.keep("name_offsets", name_offsets);
    }
    const std::string path = folder.path("forged");
    writer.write_file(path);
    return path;
  }
};

void refuse_open(const Forged& forged, std::vector<std::string> pieces) {
  Folder folder;
  const std::string path = forged.write(folder);
  pieces.push_back(path);
  assert_refused(VTEMPER_ERROR_FORMAT, pieces, [&] { data_read(path, "auto"); });
}

void refuse_rows(const Forged& forged, std::vector<std::string> pieces) {
  Folder folder;
  const std::string path = forged.write(folder);
  const DataPointer data = data_read(path, "auto");
  pieces.push_back(path);
  assert_refused(VTEMPER_ERROR_FORMAT, pieces, [&] { matrix_of(*data); });
  assert_refused(VTEMPER_ERROR_FORMAT, pieces, [&] { data_total(*data); });
  assert_refused(VTEMPER_ERROR_FORMAT, pieces, [&] { data_verify(*data); });
  assert_refused(VTEMPER_ERROR_FORMAT, pieces, [&] { data_split_counts(*data, 0.5, 1); });
  assert_refused(VTEMPER_ERROR_FORMAT, pieces, [&] { data_write(*data, folder.path("other")); });
}

void test_forged_sizes(void**) {
  Folder folder;
  const DataPointer data = data_read(Forged().write(folder), "auto");
  assert_same(matrix_of(*data), {{1, 0, 0, 2}, {0, 0, 0, 0}, {0, 3, 4, 0}});
  data_verify(*data);
  for (const char* size : {"-1", "", "x", "3.0", "99999999999999999999"}) {
    Forged forged;
    forged.rows = size;
    refuse_open(forged, {"number of rows", message("'", size, "'")});
    forged = Forged();
    forged.columns = size;
    refuse_open(forged, {"number of columns", message("'", size, "'")});
  }
  Forged forged;
  forged.columns = "2147483648";
  refuse_open(forged, {"number of columns", "2147483647"});
  forged = Forged();
  forged.rows = "4";
  refuse_open(forged, {"offsets has 4 elements", "must have 5"});
  forged = Forged();
  forged.values.push_back(1);
  refuse_open(forged, {"values has 5 elements", "must have 4"});
  forged = Forged();
  forged.offsets.back() = 3;
  refuse_open(forged, {"from 0 to 3", "number of entries, 4"});
  forged = Forged();
  forged.offsets.front() = 1;
  refuse_open(forged, {"from 1 to 4"});
  forged = Forged();
  forged.weights = {1, 2};
  refuse_open(forged, {"weights has 2 elements", "must have 3"});
}

void test_forged_names(void**) {
  Forged forged;
  forged.names = "abbccd";
  forged.name_offsets = {0, 1, 3, 5, 6};
  Folder folder;
  assert_true(*data_read(forged.write(folder), "auto")->names == Names({"a", "bb", "cc", "d"}));
  const auto with = [&](std::string names, std::vector<int64_t> offsets) {
    Forged changed = forged;
    changed.names = std::move(names);
    changed.name_offsets = std::move(offsets);
    return changed;
  };
  refuse_open(with("abbccd", {0, 1, 3, 5}), {"name_offsets has 4 elements"});
  refuse_open(with("abbccd", {0, 1, 3, 2, 6}), {"column 3 is 2", "between 3 and 6"});
  refuse_open(with("abbccd", {0, 1, 3, 5, 7}), {"column 4 is 7"});
  refuse_open(with("abbccd", {1, 1, 3, 5, 6}), {"column 0 is 1"});
  refuse_open(with("abbccd", {0, 1, INT64_MIN, 5, 6}), {"column 2"});
  refuse_open(with("abbccd", {0, 1, 1, 5, 6}), {"names[1] is empty"});
  refuse_open(with("abbbbd", {0, 1, 3, 5, 6}), {"names[2]", "'bb'", "names[1]"});
  refuse_open(with("a\xff"
                   "bccd",
                   {0, 1, 3, 5, 6}),
              {"names[1]", "UTF-8"});
  refuse_open(with(std::string("a\0bccd", 6), {0, 1, 3, 5, 6}), {"names[1]", "zero byte"});
}

void test_forged_rows(void**) {
  const auto offsets = [](std::vector<int64_t> changed) {
    Forged forged;
    forged.offsets = std::move(changed);
    return forged;
  };
  refuse_rows(offsets({0, 3, 2, 4}), {"row 1", "3 and 2"});
  refuse_rows(offsets({0, -1, 2, 4}), {"row 0", "0 and -1"});
  refuse_rows(offsets({0, 2, 5, 4}), {"row 1", "2 and 5"});
  refuse_rows(offsets({0, 2, INT64_MAX, 4}), {"row 1", "9223372036854775807"});
  refuse_rows(offsets({0, INT64_MIN, 2, 4}), {"row 0", "-9223372036854775808"});
  Forged forged;
  forged.indices[2] = 4;
  refuse_rows(forged, {"row 2", "column 4", "4 columns"});
  forged.indices[2] = -1;
  refuse_rows(forged, {"row 2", "column -1"});
  forged = Forged();
  for (const double value : {-1.0, -0.5, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    forged.values[3] = value;
    refuse_rows(forged, {"row 2, column 2", number_text(value)});
  }
}

void test_forged_repeats_and_weights(void**) {
  Folder folder;
  Forged forged;
  forged.indices[3] = 1;
  const DataPointer repeated = data_read(forged.write(folder), "auto");
  assert_refused(VTEMPER_ERROR_FORMAT, {"row 2, column 1", "twice"}, [&] { data_verify(*repeated); });
  forged.columns = "1";
  const DataPointer narrow = data_read(forged.write(folder), "auto");
  assert_refused(VTEMPER_ERROR_FORMAT, {"row 0 has 2 entries", "there is only 1 column"},
                 [&] { data_verify(*narrow); });
  forged = Forged();
  forged.weights = {1, -2, NAN};
  const DataPointer weighted = data_read(forged.write(folder), "auto");
  assert_true(weighted->weight(0) == 1);
  assert_refused(VTEMPER_ERROR_FORMAT, {"row 1", "weight -2"}, [&] { weighted->weight(1); });
  assert_refused(VTEMPER_ERROR_FORMAT, {"row 2", "weight nan"}, [&] { weighted->weight(2); });
  assert_refused(VTEMPER_ERROR_FORMAT, {"row 1", "weight -2"}, [&] { data_verify(*weighted); });
  assert_refused(VTEMPER_ERROR_FORMAT, {"row 1", "weight -2"}, [&] { data_write(*weighted, folder.path("x")); });
}

void test_foreign_files(void**) {
  Folder folder;
  ContainerWriter model("vtemper.model");
  model.keep("lambda", std::vector<double>{1, 2});
  const std::string path = folder.path("model");
  model.write_file(path);
  assert_refused(VTEMPER_ERROR_FORMAT, {path, "vtemper.model"}, [&] { data_read(path, "auto"); });
  const std::string text = folder.write("2 0:1 4:2\n");
  assert_refused(VTEMPER_ERROR_FORMAT, {text}, [&] { data_read(text, "mapped"); });
  ContainerWriter strange(corpus_format);
  strange.text("rows", "0");
  strange.text("columns", "1");
  strange.keep("offsets", std::vector<int64_t>{0});
  strange.tensor("indices", Element::i32, {0}, nullptr);
  strange.keep("values", std::vector<int64_t>{});
  const std::string other = folder.path("strange");
  strange.write_file(other);
  assert_refused(VTEMPER_ERROR_FORMAT, {other, "values"}, [&] { data_read(other, "auto"); });
}

/// Another process truncates the file: every way to read what was not read before fails with a message instead of
/// ending the process.
void test_cut_short(void**) {
  Folder folder;
  const DataPointer data = corpus(5);
  const std::string path = folder.path("corpus");
  // A small file was read when it was opened.
  data_write(*data, path);
  const DataPointer small = data_read(path, "auto");
  assert_int_equal(truncate(path.c_str(), 100), 0);
  data_verify(*small);
  assert_same(matrix_of<double>(*small), matrix_of(*data));

  data_write(*data, path);
  const DataPointer opened = open_mapped(path, {0, 0});
  const int64_t first[] = {0};
  assert_int_equal(truncate(path.c_str(), 100), 0);
  const std::vector<std::string> pieces = {path, "truncated"};
  assert_refused(VTEMPER_ERROR_IO, pieces, [&] { matrix_of<double>(*opened); });
  assert_refused(VTEMPER_ERROR_IO, pieces, [&] { data_verify(*opened); });
  assert_refused(VTEMPER_ERROR_IO, pieces, [&] { data_total(*opened); });
  assert_refused(VTEMPER_ERROR_IO, pieces, [&] { data_select(*opened, first, 1); });
  assert_refused(VTEMPER_ERROR_IO, pieces, [&] { data_slice(*opened, 0, 1); });
  assert_refused(VTEMPER_ERROR_IO, pieces, [&] { data_split_counts(*opened, 0.5, 1); });
  assert_refused(VTEMPER_ERROR_IO, pieces, [&] { data_write(*opened, folder.path("again")); });

  // If the file is replaced by another one, the data do not change.
  data_write(*data, path);
  const DataPointer kept = data_read(path, "auto");
  data_write(*corpus(6), path);
  assert_same(matrix_of<double>(*kept), matrix_of(*data));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_written_and_opened),
      cmocka_unit_test(test_names_and_weights),
      cmocka_unit_test(test_every_form_is_written),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_dense),
      cmocka_unit_test(test_not_written),
      cmocka_unit_test(test_damage_by_accident),
      cmocka_unit_test(test_forged_sizes),
      cmocka_unit_test(test_forged_names),
      cmocka_unit_test(test_forged_rows),
      cmocka_unit_test(test_forged_repeats_and_weights),
      cmocka_unit_test(test_foreign_files),
      cmocka_unit_test(test_cut_short),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
