// A mapped corpus of more than 2^31 entries, most of them a hole in the file: rows on both sides of the 2^31st entry
// are read, selected and fitted.

#include <sys/resource.h>

#include "bench/corpus_file.h"
#include "data/data.h"
#include "unit/data/fixtures.h"

#include <vtemper/vtemper.h>

using namespace vtemper;
using namespace vtemper::test;

namespace {

constexpr int64_t columns = 1 << 16;
constexpr int64_t row_length = columns;
constexpr int64_t rows = (int64_t{1} << 31) / row_length + 9;
constexpr int64_t entries = rows * row_length;  // 2^31 + 9 * 2^16
static_assert(entries > INT32_MAX);

/// The rows that hold counts, three each; in all other rows the stored counts are zeros, which count as absent.
const std::vector<int64_t> filled = {0, 1, rows / 2, rows - 3, rows - 1};

int32_t column_of(int64_t row, int64_t i) {
  return static_cast<int32_t>((row * 7 + i * 1000) % columns);
}

/// False if the system cannot create or map such a file.
bool write_corpus(const std::string& path) {
  struct rlimit space;
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) return false;
  try {
    CorpusFile file(path, rows, columns, entries);
    std::vector<int64_t> offsets;
    for (int64_t row = 0; row <= rows; ++row) offsets.push_back(row * row_length);
    file.write_offsets(0, offsets.data(), rows + 1);
    for (const int64_t row : filled) {
      const int32_t indices[] = {column_of(row, 0), column_of(row, 1), column_of(row, 2)};
      const int32_t values[] = {1, 2, 3};
      file.write_entries(row * row_length, indices, values, 3);
    }
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

void check_row(const Data& data, int64_t at, int64_t row) {
  std::vector<int32_t> indices(row_length);
  std::vector<float> values(row_length);
  assert_int_equal(data.counts().read_row(at, data.counts().row_length(at), indices.data(), values.data()), 3);
  for (int64_t i = 0; i < 3; ++i) {
    assert_int_equal(indices[static_cast<size_t>(i)], column_of(row, i));
    assert_true(values[static_cast<size_t>(i)] == static_cast<float>(i + 1));
  }
}

void test_rows_beyond_2_to_the_31(void** state) {
  Folder& folder = *static_cast<Folder*>(*state);
  const DataPointer data = data_read(folder.path("corpus"), "mapped");
  assert_true(data->counts().entries == entries && data->rows() == rows);
  for (const int64_t row : filled) check_row(*data, row, row);
  std::vector<int32_t> indices(row_length);  // a row of stored zeros
  std::vector<float> values(row_length);
  const int64_t length = data->counts().row_length(rows - 2);
  assert_int_equal(data->counts().read_row(rows - 2, length, indices.data(), values.data()), 0);

  const DataPointer selected = data_select(*data, filled.data(), static_cast<int64_t>(filled.size()));
  assert_int_equal(selected->rows(), filled.size());
  for (size_t i = 0; i < filled.size(); ++i) check_row(*selected, static_cast<int64_t>(i), filled[i]);
}

void test_steps_read_rows_of_all_of_it(void** state) {
  Folder& folder = *static_cast<Folder*>(*state);
  vtemper_data* data = nullptr;
  assert_int_equal(vtemper_data_read(folder.path("corpus").c_str(), "mapped", &data), VTEMPER_OK);
  int64_t size = 0;
  assert_int_equal(vtemper_data_entries(data, &size), VTEMPER_OK);
  assert_true(size == entries);
  vtemper_options* options = nullptr;
  assert_int_equal(vtemper_options_create(&options), VTEMPER_OK);
  assert_int_equal(vtemper_options_set(options, "topics", "2"), VTEMPER_OK);
  vtemper_model* model = nullptr;
  assert_int_equal(vtemper_model_create("lda", options, &model), VTEMPER_OK);
  vtemper_options_destroy(options);
  assert_int_equal(vtemper_options_create(&options), VTEMPER_OK);
  assert_int_equal(vtemper_options_set(options, "batch_size", "3"), VTEMPER_OK);
  assert_int_equal(vtemper_options_set(options, "method", "svi"), VTEMPER_OK);
  vtemper_optimizer* optimizer = nullptr;
  assert_int_equal(vtemper_optimizer_create(model, data, options, &optimizer), VTEMPER_OK);
  vtemper_report report{};
  report.struct_size = sizeof report;
  assert_int_equal(vtemper_optimizer_step(optimizer, 2, &report), VTEMPER_OK);
  assert_int_equal(report.rows_seen, 6);
  assert_int_equal(report.empty_rows, 6);  // of five rows in 32,777
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_options_destroy(options);
  vtemper_data_destroy(data);
}

}  // namespace

int main() {
  Folder folder;
  if (!write_corpus(folder.path("corpus"))) {
    std::printf("skipped: this system has no place for a file with holes of 17 GB\n");
    return 77;
  }
  const CMUnitTest tests[] = {cmocka_unit_test_prestate(test_rows_beyond_2_to_the_31, &folder),
                              cmocka_unit_test_prestate(test_steps_read_rows_of_all_of_it, &folder)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
