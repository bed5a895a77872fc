// Rows of a mapped file, whether it was read when it was opened, is read in blocks, or is too large for the memory:
// everything that reads rows gives what it gives for the same rows in memory.

#include <unistd.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "data/mapped/mapped.h"
#include "data/row_numbers.h"
#include "models/dense_rows.h"
#include "unit/data/fixtures.h"

using namespace vtemper;
using namespace vtemper::test;

namespace {

constexpr size_t rows = 3000, columns = 60;

const std::vector<FileLimits> all_limits = {{}, {0, 0.5}, {0, 0}, {0, 0.5, true}};

template <class Real>
DataPointer dense_rows(uint64_t seed) {
  Random random(seed);
  std::vector<Real> values(rows * columns);
  for (Real& value : values) value = static_cast<Real>(random.uniform());
  values[7] = std::numeric_limits<Real>::quiet_NaN();
  Dense dense;
  dense.rows = rows;
  dense.columns = columns;
  dense.values = typed_array(values.data());
  dense.row_stride = columns;
  dense.column_stride = 1;
  return data_from_dense(dense, true);
}

DataPointer sequences(uint64_t seed) {
  Random random(seed);
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> symbols;
  for (size_t row = 0; row < rows; ++row) {
    const uint64_t length = random.below(40);
    for (uint64_t t = 0; t < length; ++t) symbols.push_back(static_cast<int32_t>(random.below(columns)));
    offsets.push_back(static_cast<int64_t>(symbols.size()));
  }
  SequenceArrays arrays;
  arrays.rows = rows;
  arrays.columns = columns;
  arrays.offsets = typed_array(offsets.data());
  arrays.symbols = typed_array(symbols.data());
  return data_from_sequences(arrays, nullptr);
}

template <class Value>
DataPointer counts(uint64_t seed) {
  Random random(seed);
  const Matrix matrix = random_matrix(random, rows, columns);
  const auto arrays = arrays_of<int64_t, int32_t, Value>(matrix, columns, VTEMPER_BY_ROWS, 0);
  return data_from_counts(arrays.view(), nullptr);
}

/// With names, weights and texts.
DataPointer complete(const DataPointer& data) {
  Names names;
  std::vector<std::string> texts;
  std::vector<double> weights;
  for (size_t i = 0; i < columns; ++i) names.push_back(message("word", static_cast<int64_t>(i)));
  for (size_t i = 0; i < rows; ++i) {
    texts.push_back(message("a text of row ", static_cast<int64_t>(i)));
    weights.push_back(static_cast<double>(i % 7));
  }
  data_set_names(*data, names);
  data_set_weights(*data, weights);
  data->row_texts["name"] = RowTexts(texts, "name");
  return data;
}

/// All numbers and texts of the rows, with missing values as -1.
std::vector<double> everything(const Data& data) {
  std::vector<double> all;
  for (int64_t row = 0; row < data.rows(); ++row) {
    add_row_numbers(data, row, all);
    all.push_back(data.weight(row));
    for (const auto& [field, texts] : data.row_texts) {
      for (const char* letter = texts.at(row); *letter != 0; ++letter) all.push_back(*letter);
    }
  }
  for (double& number : all) number = std::isnan(number) ? -1 : number;
  return all;
}

void check_same(const Data& found, const Data& expected) {
  assert_int_equal(found.rows(), expected.rows());
  assert_true(everything(found) == everything(expected));
}

template <class Real>
void check_dense_readers(const Data& found, const Data& expected) {
  std::vector<Real> a(columns), b(columns);
  for (int64_t row = 0; row < found.rows(); row += 37) {
    read_dense_row(found.dense(), row, a.data());
    read_dense_row(expected.dense(), row, b.data());
    for (size_t j = 0; j < columns; ++j) assert_true(a[j] == b[j] || (std::isnan(a[j]) && std::isnan(b[j])));
    assert_true(observed_share(found.dense(), row) == observed_share(expected.dense(), row));
  }
  require_shares_or_missing(found, "bernoulli_mixture");
}

void check_form(const DataPointer& made) {
  Folder folder;
  const DataPointer data = complete(made);
  const std::string path = folder.path("rows"), again = folder.path("again");
  data_write(*data, path);
  const std::string bytes = contents(path);
  std::vector<int64_t> backwards(rows);
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  for (const FileLimits& limits : all_limits) {
    const DataPointer opened = open_mapped(path, limits);
    assert_true(opened->file->contents()->is_in_memory() == (limits.read_at_once > 0));
    check_same(*opened, *data);
    assert_true(hash_of_rows(*opened) == hash_of_rows(*data));
    assert_true(data_total(*opened) == data_total(*data));
    assert_true(data_weight(*opened) == data_weight(*data));
    data_verify(*opened);
    check_same(*data_select(*opened, backwards.data(), rows), *data_select(*data, backwards.data(), rows));
    const DataPointer part = data_slice(*opened, 1234, 1000);
    check_same(*part, *data_slice(*data, 1234, 1000));
    check_same(*data_split(*opened, 0.3, 1).first, *data_split(*data, 0.3, 1).first);
    if (data->is<Counts>()) {
      check_same(*data_split_counts(*opened, 0.3, 1).second, *data_split_counts(*data, 0.3, 1).second);
      check_same(*data_align(*opened, *data->names).data, *data_align(*data, *data->names).data);
    }
    if (data->is<Dense>()) {
      check_dense_readers<float>(*opened, *data);
      check_dense_readers<double>(*opened, *data);
    }
    data_write(*opened, again);
    assert_true(contents(again) == bytes);
    data_write(*part, again);
    check_same(*open_mapped(again), *part);
    if (limits.share_of_memory == 0) assert_true(opened->file->contents()->bytes_in_memory() < 400000);
  }
}

void test_counts(void**) {
  check_form(counts<int32_t>(1));
  check_form(counts<float>(2));
  check_form(counts<double>(3));
}

void test_dense_rows(void**) {
  check_form(dense_rows<float>(4));
  check_form(dense_rows<double>(5));
}

void test_sequences(void**) {
  check_form(sequences(6));
}

/// Data derived from a file outlive it.
void test_owners(void**) {
  Folder folder;
  const std::string path = folder.path("rows");
  const DataPointer data = complete(counts<double>(7));
  data_write(*data, path);
  DataPointer opened = open_mapped(path, {0, 0});
  const DataPointer observed = data_split_counts(*opened, 0.5, 1).first;
  const DataPointer aligned = data_align(*opened, *data->names).data;
  const DataPointer slice = data_slice(*opened, 10, 100);
  opened.reset();
  for (const Data* const derived : {observed.get(), aligned.get()}) {
    assert_true(derived->weight(2999) == data->weight(2999));
    assert_string_equal(derived->row_texts.at("name").at(2999), "a text of row 2999");
  }
  check_same(*slice, *data_slice(*data, 10, 100));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_dense_rows),
      cmocka_unit_test(test_sequences),
      cmocka_unit_test(test_owners),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
