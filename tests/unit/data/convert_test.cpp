// data_convert writes exactly the file that data_read followed by data_write gives, for every format, whether the
// rows stay in memory or go to disk on the way; if it is refused, no file is left behind and none is changed.

#include <dirent.h>
#include <sys/stat.h>

#include <thread>

#include "support/interruption.h"
#include "support/sanitizer.h"
#include "unit/data/fixtures.h"

using namespace vtemper;
using namespace vtemper::test;

namespace {

/// Enough entries for arrays to go to disk.
const int64_t many_rows = unless_sanitized<int64_t>(20000, 12000);

/// One in so many samples is also tried in compressed form, with more names, and damaged.
const size_t every = unless_sanitized<size_t>(1, 3);

std::string number(int64_t value) {
  return number_text(value);
}

/// Ascending columns of a row, some rows without any.
std::vector<int64_t> columns_of_row(Random& random, int64_t row) {
  std::vector<int64_t> columns;
  for (int64_t column = 0; row % 7 != 3 && column < 20; ++column) {
    if (random.below(3) == 0) columns.push_back(column);
  }
  return columns;
}

using Rows = std::vector<std::vector<int64_t>>;

Rows random_rows(int64_t count) {
  Random random(3);
  Rows rows;
  for (int64_t row = 0; row < count; ++row) rows.push_back(columns_of_row(random, row));
  return rows;
}

/// The count of an entry: an integer, or in the later rows with a fraction.
std::string count_text(size_t row, int64_t column, size_t fractions_from) {
  return number((static_cast<int64_t>(row) + column) % 9 + 1) + (row < fractions_from ? "" : ".25");
}

constexpr size_t nowhere = SIZE_MAX;

std::string pairs(const Rows& rows, int64_t base, bool has_number, size_t fractions_from) {
  std::string text;
  for (size_t row = 0; row < rows.size(); ++row) {
    text += has_number ? number(static_cast<int64_t>(rows[row].size())) : "-1";
    for (const int64_t column : rows[row]) {
      text += " " + number(column + base) + ":" + count_text(row, column, fractions_from);
    }
    text += "\n";
  }
  return text;
}

std::string triplets(const Rows& rows, const std::string& separator, size_t fractions_from, bool last_row_first) {
  int64_t entries = 0;
  std::string text;
  for (size_t i = 0; i < rows.size(); ++i) {
    const size_t row = last_row_first ? (i + rows.size() - 1) % rows.size() : i;
    for (const int64_t column : rows[row]) {
      text += number(static_cast<int64_t>(row) + 1) + " " + number(column + 1) + " " +
              count_text(row, column, fractions_from) + "\n";
      ++entries;
    }
  }
  return number(static_cast<int64_t>(rows.size())) + separator + "20" + separator + number(entries) + "\n" + text;
}

std::string symbols(const Rows& rows, const char* label) {
  std::string text;
  for (const auto& row : rows) {
    text += label;
    text += "7";
    for (const int64_t symbol : row) text += " " + number(symbol);
    text += "\n";
  }
  return text;
}

std::string csv(int64_t rows, bool has_header) {
  std::string text = has_header ? "height,\"a,b\",weight\n" : "";
  for (int64_t row = 0; row < rows; ++row) {
    text += number(row) + ".5," + (row % 5 == 0 ? "NA" : number(row % 11)) + "," + number(-row) + "\n";
  }
  return text;
}

std::string table_with_row_names(int64_t rows) {
  std::string text = "\tx\ty\n";
  for (int64_t row = 0; row < rows; ++row) text += "row " + number(row) + "\t" + number(row) + ",5\t\n";
  return text;
}

std::string npy(const char* type, bool by_columns, int64_t rows, int64_t columns, int64_t width) {
  std::string header = std::string("{'descr': '") + type + "', 'fortran_order': " + (by_columns ? "True" : "False") +
                       ", 'shape': (" + number(rows) + ", " + number(columns) + "), }";
  header.resize(118, ' ');
  std::string text = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header;
  for (int64_t i = 0; i < rows * columns; ++i) {
    const double wide = static_cast<double>(i % 1000) / 8;
    const auto narrow = static_cast<float>(wide);
    if (width == 8) text.append(reinterpret_cast<const char*>(&wide), sizeof wide);
    if (width == 4) text.append(reinterpret_cast<const char*>(&narrow), sizeof narrow);
  }
  return text;
}

std::string idx(int64_t rows) {
  std::string text("\0\0\x08\x02\0\0", 6);
  text += static_cast<char>(rows >> 8);
  text += static_cast<char>(rows & 255);
  text += std::string("\0\0\0\x0a", 4);
  for (int64_t i = 0; i < 10 * rows; ++i) text += static_cast<char>(i % 251);
  return text;
}

struct Sample {
  std::string format, text;
  int64_t columns;
};

std::vector<Sample> samples() {
  const Rows few = random_rows(9), many = random_rows(many_rows);
  Rows long_row = few;  // longer than what is kept in memory, between short ones
  for (int64_t column = 0; column < 200000; ++column) long_row[3].push_back(column);
  return {
      {"ldac", pairs(few, 0, true, nowhere), 20},
      {"ldac", pairs(many, 0, true, nowhere), 20},
      {"ldac", pairs(many, 0, true, many_rows / 2), 20},
      {"ldac", pairs(long_row, 0, true, nowhere), 200000},
      {"ldac", "0\n0\n", 0},
      {"svmlight", pairs(many, 1, false, nowhere), 20},
      {"svmlight", pairs(many, 0, false, 2), 20},
      {"docword", triplets(many, "\n", nowhere, false), 20},
      {"docword", triplets(many, "\n", many_rows - 3, false), 20},
      {"docword", triplets(many, "\n", nowhere, true), 20},
      {"matrix_market", "%%MatrixMarket matrix coordinate real general\n" + triplets(many, " ", nowhere, false), 20},
      {"sequences", symbols(many, ""), 20},
      {"labelled_sequences", symbols(many, "a "), 20},
      {"word_sequences", symbols(many, "a "), 21},
      {"csv", csv(many_rows, true), 3},
      {"csv", csv(4, false), 3},
      {"csv", table_with_row_names(many_rows), 2},
      {"npy", npy("<f8", false, many_rows, 5, 8), 5},
      {"npy", npy("<f4", false, many_rows, 5, 4), 5},
      {"npy", npy("<f4", true, many_rows, 5, 4), 5},
      {"idx", idx(9000), 10},
  };
}

Names names_of(int64_t count) {
  Names names;
  for (int64_t i = 0; i < count; ++i) names.push_back("word " + number(i));
  return names;
}

bool names_its_symbols(const Sample& sample) {
  return sample.format == "word_sequences";
}

int64_t files_in(const std::string& path) {
  DIR* const folder = opendir(path.c_str());
  assert_non_null(folder);
  int64_t count = -2;  // the folder and the one above it
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

void test_same_file(void**) {
  size_t place = 0;
  for (const Sample& sample : samples()) {
    const bool is_tried = place++ % every == 0;
    for (const bool is_compressed : {false, true}) {
      if (is_compressed && !is_tried) continue;
      Folder folder;
      const std::string path =
          is_compressed ? folder.write_compressed(sample.text, "in") : folder.write(sample.text, "in");
      const std::string written = folder.path("written"), converted = folder.path("converted");
      const DataPointer data = data_read(path, sample.format);
      assert_int_equal(data->columns(), sample.columns);
      data_write(*data, written);
      data_convert(path, sample.format, {}, converted);
      if (contents(written) != contents(converted)) fail_with(sample.format + " gives another file");
      data_verify(*data_read(converted, "mapped"));

      if (sample.columns == 0 || names_its_symbols(sample)) continue;
      data_set_names(*data, names_of(sample.columns));
      data_write(*data, written);
      data_convert(path, sample.format, names_of(sample.columns), converted);
      if (contents(written) != contents(converted)) fail_with(sample.format + " with names gives another file");
      assert_int_equal(files_in(folder.path()), 3);
    }
  }
}

void test_more_names_than_columns(void**) {
  size_t place = 0;
  for (const Sample& sample : samples()) {
    if (sample.columns == 0 || place++ % every != 0) continue;
    Folder folder;
    const std::string path = folder.write(sample.text, "in"), converted = folder.path("converted");
    const Names names = names_of(sample.columns + 2);
    if (names_its_symbols(sample)) {
      assert_refused(VTEMPER_ERROR_ARGUMENT, {path, "names its symbols by its words"},
                     [&] { data_convert(path, sample.format, names, converted); });
      continue;
    }
    const DataPointer data = data_read(path, sample.format);
    const auto convert = [&] { data_convert(path, sample.format, names, converted); };
    if (data->is<Dense>()) {
      assert_refused(VTEMPER_ERROR_ARGUMENT, {path, number(sample.columns), "names"}, convert);
      assert_int_equal(files_in(folder.path()), 1);
      continue;
    }
    convert();
    const std::string written = folder.path("written");
    data_set_names(*data, names_of(sample.columns));
    data_write(*data_align(*data, names).data, written);
    if (contents(written) != contents(converted)) fail_with(sample.format + " with more names gives another file");
    assert_refused(VTEMPER_ERROR_ARGUMENT, {path, "there is 1 name, but"},
                   [&] { data_convert(path, sample.format, names_of(1), converted); });
    assert_true(contents(written) == contents(converted));
  }
}

void test_wrong_names(void**) {
  Folder folder;
  const std::string path = folder.write("1 0:1\n", "in"), converted = folder.path("converted");
  assert_refused(VTEMPER_ERROR_DATA, {"names[1]", "'a'"}, [&] { data_convert(path, "ldac", {"a", "a"}, converted); });
  assert_refused(VTEMPER_ERROR_DATA, {"names[0] is empty"}, [&] { data_convert(path, "ldac", {""}, converted); });
  assert_int_equal(files_in(folder.path()), 1);
}

/// Names, weights, texts of the rows and notes are those of the file.
void test_mapped_file(void**) {
  Folder folder;
  const std::string text = folder.write(pairs(random_rows(many_rows), 0, true, nowhere), "in");
  const DataPointer data = data_read(text, "ldac");
  data_set_names(*data, names_of(20));
  std::vector<double> weights;
  std::vector<std::string> titles;
  for (int64_t row = 0; row < many_rows; ++row) {
    weights.push_back(static_cast<double>(row % 4) / 2);
    titles.push_back("document " + number(row));
  }
  data_set_weights(*data, weights);
  data->row_texts["name"] = RowTexts(titles, "name");
  data->notes["origin"] = "a test";
  const std::string written = folder.path("written"), converted = folder.path("converted");
  data_write(*data, written);
  for (const char* format : {"auto", "mapped"}) {
    data_convert(written, format, {}, converted);
    assert_true(contents(written) == contents(converted));
  }
  data_convert(written, "mapped", {}, written);  // onto itself
  assert_true(contents(written) == contents(converted));
}

void test_pipe(void**) {
  Folder folder;
  const std::string text = pairs(random_rows(many_rows), 0, true, nowhere);
  const std::string path = folder.write(text, "in"), pipe = folder.path("pipe");
  const std::string converted = folder.path("converted"), of_pipe = folder.path("of_pipe");
  assert_int_equal(mkfifo(pipe.c_str(), 0600), 0);
  size_t written = 0;
  std::thread writer([&] {
    std::FILE* const stream = std::fopen(pipe.c_str(), "wb");
    if (stream == nullptr) return;
    written = std::fwrite(text.data(), 1, text.size(), stream);
    std::fclose(stream);
  });
  data_convert(pipe, "auto", {}, of_pipe);
  writer.join();
  assert_int_equal(written, text.size());
  data_convert(path, "ldac", {}, converted);
  assert_true(contents(of_pipe) == contents(converted));
}

/// An error late in a file, when most of it is already on disk: the message of data_read, and the old file is kept.
void test_damage_in_the_middle(void**) {
  size_t place = 0;
  for (const Sample& sample : samples()) {
    if (sample.text.size() < 10000 || place++ % every != 0) continue;
    std::string cut = sample.text, odd = sample.text;
    cut.resize(sample.text.size() - 3);
    odd[sample.text.size() - 2] = '?';
    for (const std::string& text : {cut, odd}) {
      for (const bool is_compressed : {false, true}) {
        Folder folder;
        std::string path = is_compressed ? folder.write_compressed(text, "in") : folder.write(text, "in");
        if (is_compressed && text == cut) {
          std::string compressed = contents(path);
          compressed.resize(compressed.size() - 20);
          path = folder.write(compressed, "in");
        }
        const std::string converted = folder.write("an old file", "converted");
        std::string message_of_read;
        vtemper_status status = VTEMPER_OK;
        try {
          data_read(path, sample.format);
        } catch (const Error& error) {
          status = error.status();
          message_of_read = error.what();
        }
        if (status == VTEMPER_OK) continue;  // another value, or a shorter last row
        assert_refused(status, {message_of_read}, [&] { data_convert(path, sample.format, {}, converted); });
        assert_string_equal(contents(converted).c_str(), "an old file");
        assert_int_equal(files_in(folder.path()), 2);
      }
    }
  }
}

void test_interrupted(void**) {
  Folder folder;
  const std::string path = folder.write(pairs(random_rows(many_rows), 0, true, nowhere), "in");
  const std::string converted = folder.path("converted");
  // Later and later: while it reads, then while it writes.
  int64_t cancelled = 0;
  for (double seconds = 1e-4;; seconds *= unless_sanitized(1.3, 2.0), ++cancelled) {
    const TimeLimit limit(seconds);
    try {
      data_convert(path, "ldac", {}, converted);
      break;
    } catch (const Error& error) {
      assert_int_equal(error.status(), VTEMPER_CANCELLED);
      assert_int_equal(files_in(folder.path()), 1);
    }
  }
  assert_true(cancelled > 3);
  assert_int_equal(files_in(folder.path()), 2);
}

void test_places_that_cannot_be_written(void**) {
  Folder folder;
  const std::string path = folder.write("1 0:1\n", "in");
  const std::string missing = folder.path() + "/missing/file";
  for (const std::string& out : {missing, folder.path(), std::string(), std::string("/dev/null")}) {
    // Before anything is read, because what is read from a pipe is lost.
    assert_refused(VTEMPER_ERROR_IO, {out}, [&] { data_convert(folder.path() + "/none", "ldac", {}, out); });
    assert_refused(VTEMPER_ERROR_IO, {out}, [&] { data_convert(path, "ldac", {}, out); });
  }
  assert_int_equal(files_in(folder.path()), 1);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_same_file),   cmocka_unit_test(test_more_names_than_columns),
      cmocka_unit_test(test_wrong_names), cmocka_unit_test(test_mapped_file),
      cmocka_unit_test(test_pipe),        cmocka_unit_test(test_damage_in_the_middle),
      cmocka_unit_test(test_interrupted), cmocka_unit_test(test_places_that_cannot_be_written),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
