// Slices: rows of the whole without a copy, which keep their numbers, of every form and from mapped files; parts of a
// corpus.

#include <cmath>

#include "support/assert.h"
#include "support/random_streams.h"
#include "unit/data/fixtures.h"

using namespace vtemper;
using namespace vtemper::test;

namespace {

constexpr int64_t rows = 23, columns = 6;

DataPointer corpus() {
  Random random(3);
  const DataPointer data = data_of(random_matrix(random, rows, columns), columns);
  Names names;
  std::vector<double> weights;
  std::vector<std::string> texts;
  for (int64_t column = 0; column < columns; ++column) names.push_back(message("w", column));
  for (int64_t row = 0; row < rows; ++row) {
    weights.push_back(static_cast<double>(row) + 0.5);
    texts.push_back(message("document ", row));
  }
  data_set_names(*data, names);
  data_set_weights(*data, weights);
  data->row_texts["name"] = RowTexts(texts, "name");
  return data;
}

/// The same rows, selected, weights and texts included.
void assert_is_slice(const Data& slice, const Data& whole, int64_t first) {
  std::vector<int64_t> numbers;
  for (int64_t row = 0; row < slice.rows(); ++row) numbers.push_back(first + row);
  const DataPointer selected = data_select(whole, numbers.data(), slice.rows());
  assert_same(matrix_of(slice), matrix_of(*selected));
  assert_int_equal(slice.entries(), selected->entries());
  assert_true(data_total(slice) == data_total(*selected));
  for (int64_t row = 0; row < slice.rows(); ++row) {
    assert_true(slice.weight(row) == whole.weight(first + row));
    for (const auto& [field, texts] : whole.row_texts) {
      assert_string_equal(slice.row_texts.at(field).at(row), texts.at(first + row));
    }
  }
}

void test_rows(void**) {
  DataPointer whole = corpus();
  const DataPointer kept = corpus();
  Folder folder;
  data_write(*whole, folder.path("corpus"));
  const DataPointer mapped = data_read(folder.path("corpus"), "mapped");
  for (int64_t first = 0; first <= rows; ++first) {
    for (const int64_t count : {int64_t{0}, int64_t{1}, (rows - first) / 2, rows - first}) {
      if (count > rows - first) continue;
      for (const DataPointer& from : {whole, mapped}) {
        const DataPointer slice = data_slice(*from, first, count);
        assert_int_equal(slice->rows(), count);
        assert_int_equal(slice->first_row, first);
        assert_is_slice(*slice, *kept, first);
        // Not one element is copied.
        assert_ptr_equal(slice->counts().indices.data, from->counts().indices.data);
        // Written to a file, it is independent data.
        data_write(*slice, folder.path("slice"));
        assert_is_slice(*data_read(folder.path("slice"), "mapped"), *kept, first);
      }
    }
  }
  const DataPointer part = data_slice(*whole, 5, 12);
  whole = nullptr;
  const DataPointer inner = data_slice(*part, 3, 4);
  assert_int_equal(inner->first_row, 8);
  assert_is_slice(*inner, *kept, 8);
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"first", "-1"}, [&] { data_slice(*kept, -1, 1); });
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"first", "24"}, [&] { data_slice(*kept, 24, 0); });
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"count", "24"}, [&] { data_slice(*kept, 0, 24); });
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"count", "-1"}, [&] { data_slice(*kept, 0, -1); });
}

void test_other_forms(void**) {
  const std::vector<int32_t> offsets = {1, 3, 3, 7, 8}, symbols = {1, 2, 3, 3, 1, 2, 2};
  SequenceArrays arrays;
  arrays.rows = 4;
  arrays.columns = 3;
  arrays.offsets = typed_array(offsets.data());
  arrays.symbols = typed_array(symbols.data());
  arrays.index_base = 1;
  const auto borrowed = std::make_shared<int>(0);
  const DataPointer sequences = data_from_sequences(arrays, borrowed);
  const DataPointer slice = data_slice(*sequences, 2, 2);
  int32_t read[4];
  assert_int_equal(slice->sequences().row_length(0), 4);
  slice->sequences().read_row(0, 4, read);
  assert_true(read[0] == 2 && read[1] == 2 && read[2] == 0 && read[3] == 1);
  assert_int_equal(slice->sequences().row_length(1), 1);
  assert_int_equal(slice->entries(), 5);

  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  Dense dense;
  dense.rows = 3;
  dense.columns = 2;
  dense.values = typed_array(values.data());
  dense.row_stride = 1;  // by columns
  dense.column_stride = 3;
  dense.owner = borrowed;
  const DataPointer last = data_slice(*data_from_dense(dense, false), 1, 2);
  assert_true(last->dense().at(0, 0) == 2 && last->dense().at(0, 1) == 5 && last->dense().at(1, 1) == 6);
}

void test_permutation_back(void**) {
  for (uint64_t size = 1; size < 200; ++size) {
    for (uint64_t i = 0; i < size; ++i) {
      const uint64_t place = permuted(i, size, 7, Purpose::split_rows, size);
      assert_true(index_of_permuted(place, size, 7, Purpose::split_rows, size) == i);
    }
  }
  for (const uint64_t i : {uint64_t{0}, uint64_t{123456789}, uint64_t{999999999999}}) {
    const uint64_t size = 1000000000000;
    assert_true(index_of_permuted(permuted(i, size, 1, Purpose::minibatch, 2), size, 1, Purpose::minibatch, 2) == i);
  }
}

/// Splitting and then slicing is the same as slicing and then splitting.
void test_splits(void**) {
  const DataPointer whole = corpus();
  const DataPair rows_of_whole = data_split(*whole, 0.3, 5), tokens_of_whole = data_split_counts(*whole, 0.5, 5);
  Matrix first, second, observed, heldout;
  const auto add = [](Matrix& to, const Data& from) {
    const Matrix more = matrix_of(from);
    to.insert(to.end(), more.begin(), more.end());
  };
  for (const int64_t begin : {int64_t{0}, int64_t{9}}) {
    const int64_t count = begin == 0 ? 9 : rows - 9;
    const DataPointer slice = data_slice(*whole, begin, count);
    const DataPair split = data_split(*slice, 0.3, 5), tokens = data_split_counts(*slice, 0.5, 5);
    add(first, *split.first);
    add(second, *split.second);
    add(observed, *tokens.first);
    add(heldout, *tokens.second);
    assert_int_equal(tokens.first->first_row, begin);
  }
  assert_same(first, matrix_of(*rows_of_whole.first));
  assert_same(second, matrix_of(*rows_of_whole.second));
  assert_same(observed, matrix_of(*tokens_of_whole.first));
  assert_same(heldout, matrix_of(*tokens_of_whole.second));
}

void test_parts(void**) {
  const DataPointer whole = corpus();
  const DataPointer training = data_slice(*whole, 10, 13), slice = data_slice(*training, 4, 9);
  data_set_part(*slice, 4, 13);
  assert_true(slice->part.corpus->rows() == 13 && slice->part.first == 4 && slice->corpus_rows() == 13);
  assert_int_equal(slice->first_row, 14);  // the number in the whole stays
  assert_true(slice->known_row_length() == static_cast<double>(training->entries()) / 13);
  data_set_part(*slice, 14, rows);
  assert_true(slice->part.corpus->rows() == rows);
  data_set_part(*slice, 100, 1000);  // of something else
  assert_true(slice->known_row_length() == 0 &&
              slice->corpus_row_length() == static_cast<double>(slice->entries()) / 9);
  assert_true(slice->part.corpus == nullptr && slice->first_row == 100 && slice->corpus_rows() == 1000);
  data_set_part(*slice, 0, 9);
  assert_true(slice->part.rows == 0 && slice->corpus_rows() == 9);
  data_set_part(*slice, 3, 20);
  data_set_weights(*slice, std::vector<double>(9, 1.0));
  assert_true(slice->part.corpus == nullptr && slice->part.rows == 20);
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"corpus_rows is 8"}, [&] { data_set_part(*slice, 0, 8); });
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"first_row is 2"}, [&] { data_set_part(*slice, 2, 10); });
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"first_row is -1"}, [&] { data_set_part(*slice, -1, 10); });
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"at most"}, [&] { data_set_part(*slice, 0, int64_t{1} << 60); });
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),   cmocka_unit_test(test_other_forms), cmocka_unit_test(test_permutation_back),
      cmocka_unit_test(test_splits), cmocka_unit_test(test_parts),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
