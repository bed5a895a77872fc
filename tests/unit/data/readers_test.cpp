// Text formats: what was written is read back, plain and compressed; damaged or impossible content is refused with
// file, line, row and column.

#include "unit/data/fixtures.h"

using namespace vtemper;
using namespace vtemper::test;

namespace {

std::string text_of(double value) {
  return number_text(value);
}
std::string text_of(size_t value) {
  return number_text(static_cast<int64_t>(value));
}

size_t entries_of(const std::vector<double>& row) {
  return static_cast<size_t>(std::count_if(row.begin(), row.end(), [](double value) { return value > 0; }));
}

std::string lda_c(const Matrix& matrix) {
  std::string text;
  for (const auto& row : matrix) {
    text += text_of(entries_of(row));
    for (size_t column = 0; column < row.size(); ++column) {
      if (row[column] > 0) text += " " + text_of(column) + ":" + text_of(row[column]);
    }
    text += "\n";
  }
  return text;
}

std::string svmlight(const Matrix& matrix) {
  std::string text = "# a comment\n";
  for (size_t i = 0; i < matrix.size(); ++i) {
    text += i % 2 == 0 ? "-1 qid:3" : "2,7";
    for (size_t column = 0; column < matrix[i].size(); ++column) {
      if (matrix[i][column] > 0) text += " " + text_of(column + 1) + ":" + text_of(matrix[i][column]);
    }
    text += i % 3 == 0 ? " # document 1:1\n" : "\n";
  }
  return text;
}

/// "row column value" from 1, by rows or by columns.
std::string triplets(const Matrix& matrix, size_t columns, bool by_rows) {
  std::string text;
  for (size_t i = 0; i < matrix.size() * columns; ++i) {
    const size_t row = by_rows ? i / columns : i % matrix.size();
    const size_t column = by_rows ? i % columns : i / matrix.size();
    const double value = matrix[row][column];
    if (value > 0) text += text_of(row + 1) + " " + text_of(column + 1) + " " + text_of(value) + "\n";
  }
  return text;
}

std::string sizes(const Matrix& matrix, size_t columns, const char* separator) {
  size_t entries = 0;
  for (const auto& row : matrix) entries += entries_of(row);
  return text_of(matrix.size()) + separator + text_of(columns) + separator + text_of(entries) + "\n";
}

std::string docword(const Matrix& matrix, size_t columns) {
  return sizes(matrix, columns, "\n") + triplets(matrix, columns, true);
}

std::string matrix_market(const Matrix& matrix, size_t columns, bool by_rows) {
  return "%%MatrixMarket matrix coordinate real general\n% a comment\n\n" + sizes(matrix, columns, " ") +
         triplets(matrix, columns, by_rows);
}

/// A format without sizes has no columns after the last one with an entry.
Matrix narrowed(Matrix matrix, int64_t columns) {
  for (auto& row : matrix) row.resize(static_cast<size_t>(columns));
  return matrix;
}

void check(const std::string& text, const std::string& format, const Matrix& matrix) {
  Folder folder;
  for (const std::string& path : {folder.write(text, "plain"), folder.write_compressed(text, "compressed")}) {
    const DataPointer data = data_read(path, format);
    assert_true(data->columns() <= (matrix.empty() ? 0 : static_cast<int64_t>(matrix[0].size())));
    assert_int_equal(data->rows(), static_cast<int64_t>(matrix.size()));
    assert_same(matrix_of(*data), narrowed(matrix, data->columns()));
    assert_true(data_total(*data) == sum(matrix));
  }
}

void test_random_matrices(void**) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const size_t rows = 1 + random.below(12), columns = 1 + random.below(20);
    Matrix matrix = random_matrix(random, rows, columns);
    if (seed % 2 == 1) {
      for (auto& row : matrix) {
        for (double& value : row) value *= 0.25 + static_cast<double>(seed) * 1e-7;
      }
    }
    matrix[rows - 1][columns - 1] = 3;  // so that no format hides the last row or column
    check(lda_c(matrix), "ldac", matrix);
    check(svmlight(matrix), "svmlight", matrix);
    check(docword(matrix, columns), "docword", matrix);
    check(matrix_market(matrix, columns, true), "matrix_market", matrix);
    check(matrix_market(matrix, columns, false), "matrix_market", matrix);
  }
}

/// Longer than all buffers, so that numbers and lines are cut anywhere.
void test_large_file(void**) {
  Random random(77);
  Matrix matrix = random_matrix(random, 40, 9000);
  matrix[3][8999] = 1;
  const std::string text = lda_c(matrix);
  assert_true(text.size() > 600000);
  check(text, "ldac", matrix);
  check(svmlight(matrix), "svmlight", matrix);
  check(matrix_market(matrix, 9000, false), "matrix_market", matrix);
}

void test_sizes_of_headers(void**) {
  Folder folder;
  // Words and documents without entries at the end are kept.
  const DataPointer data = data_read(folder.write("4\n7\n2\n1 1 2\n3 2 1\n"), "docword");
  assert_int_equal(data->rows(), 4);
  assert_int_equal(data->columns(), 7);
  const DataPointer market =
      data_read(folder.write("%%matrixmarket MATRIX Coordinate Pattern General\n4 7 2\n3 2\n1 1\n"), "matrix_market");
  assert_int_equal(market->rows(), 4);
  assert_int_equal(market->columns(), 7);
  assert_true(data_total(*market) == 2);
  assert_true(matrix_of(*market)[2][1] == 1);
}

void test_forms_of_numbers_and_lines(void**) {
  Folder folder;
  const Matrix expected = {{2, 0, 0.5}, {0, 1000, 0}, {0, 0, 0}};
  const char* texts[] = {"2 0:2 2:0.5\n1 1:1000\n0\n", "2 0:2 2:.5\r\n1 1:1e3\r\n0\r\n",
                         "2\t0:2.0  2:5e-1 \n1 1:+1000.\n0", "2 2:5E-1 0:0000000000000000000002\n1 1:1000\n0\n\n\n"};
  for (const char* text : texts) assert_same(matrix_of(*data_read(folder.write(text), "ldac")), expected);
  // Counts beyond 32 bits, too small for a double, zero.
  const DataPointer data = data_read(folder.write("4 0:3000000000 1:1e-400 2:0 3:7\n"), "ldac");
  assert_same(matrix_of(*data), {{3e9, 0, 0, 7}});
  assert_int_equal(data->counts().entries, 4);
}

void test_svmlight_numbering(void**) {
  Folder folder;
  assert_same(matrix_of(*data_read(folder.write("1 1:5 3:6\n"), "svmlight")), {{5, 0, 6}});
  // Column 0 shows late that the file counts from 0.
  assert_same(matrix_of(*data_read(folder.write("1 1:5 3:6\n1 0:7\n"), "svmlight")), {{0, 5, 0, 6}, {7, 0, 0, 0}});
  assert_same(matrix_of(*data_read(folder.write("+1\n-1\n"), "svmlight")), {{}, {}});
  // Where the format says it, a file without the first column is not shifted.
  const std::string path = folder.write("1 1:5 3:6\n");
  assert_same(matrix_of(*data_read(path, "svmlight0")), {{0, 5, 0, 6}});
  assert_same(matrix_of(*data_read(path, "svmlight1")), {{5, 0, 6}});
  assert_true(data_read(path, "svmlight0")->notes.at("columns_from") == "0");
  assert_true(data_read(path, "svmlight")->notes.at("columns_from") == "1");
}

void refuse(const char* format, vtemper_status status, const std::string& text, std::vector<std::string> pieces) {
  Folder folder;
  for (const std::string& path : {folder.write(text, "plain"), folder.write_compressed(text, "compressed")}) {
    pieces.push_back(path);
    assert_refused(status, pieces, [&] { data_read(path, format); });
    pieces.pop_back();
  }
}

void test_lda_c_refused(void**) {
  const auto format = [](const std::string& text, const std::vector<std::string>& pieces) {
    refuse("ldac", VTEMPER_ERROR_FORMAT, text, pieces);
  };
  format("1 0:1\n2 0:1\n", {"line 2", "row 1 declares 2 words but has 1"});
  format("1 0:1\n1 0:1 3:1\n", {"line 2", "declares 1 word but has 2"});
  format("1 0:1\n\n1 0:1\n", {"line 2", "empty"});
  format("1 0:1\n1 x:1\n", {"line 2", "\"x:1\" is not a word's number"});
  format("1 0:1\n1 3 1\n", {"line 2", "followed by \"1\" instead of ':'"});
  format("1 3\n", {"line 1", "followed by the end of the line instead of ':'"});
  format("1 3:\n", {"line 1", "ends where a count should stand"});
}

void test_lda_c_data_refused(void**) {
  const auto data = [](const std::string& text, std::vector<std::string> pieces) {
    refuse("ldac", VTEMPER_ERROR_DATA, text, std::move(pieces));
  };
  data("1 0:1\n2 0:1 4:-2\n", {"line 2", "row 1, column 4", "-2"});
  data("1 0:nan\n", {"line 1", "row 0, column 0", "nan"});
  data("1 0:inf\n", {"line 1", "row 0, column 0", "inf"});
  data("1 -3:1\n", {"line 1", "row 0", "column -3"});
  data("1 2147483647:1\n", {"line 1", "row 0", "column 2147483647"});
  data("1 0:1\n3 7:1 5:2 7:3\n", {"line 2", "row 1, column 7", "twice"});
  refuse("ldac", VTEMPER_ERROR_FORMAT, "1 99999999999999999999:1\n", {"line 1", "\"99999999999999999999:1\""});
  refuse("ldac", VTEMPER_ERROR_FORMAT, "1 0:1e999\n", {"line 1", "\"1e999\" is not a count"});
  refuse("ldac", VTEMPER_ERROR_FORMAT, "1 0:" + std::string(700, '1') + "\n", {"line 1", "is not a count"});
  refuse("ldac", VTEMPER_ERROR_FORMAT, std::string("1 0:1\0\n", 7), {"line 1"});
}

void test_docword_refused(void**) {
  const auto format = [](const std::string& text, std::vector<std::string> pieces) {
    refuse("docword", VTEMPER_ERROR_FORMAT, text, std::move(pieces));
  };
  const auto data = [](const std::string& text, std::vector<std::string> pieces) {
    refuse("docword", VTEMPER_ERROR_DATA, text, std::move(pieces));
  };
  format("2\n3\n2\n1 1 1\n", {"declares 2 entries", "ends after 1"});
  format("2\n3\n1\n1 1 1\n1 2 1\n", {"line 5", "declares 1 entry,", "one more"});
  format("2\n3\n1\n1 1\n", {"line 4", "ends where a count should stand"});
  format("2\n3\n1\n1 1 1 1\n", {"line 4", "\"1\" stands where the line should end"});
  format("2\n3\n", {"ends where the number of entries should stand"});
  format("2 3 1\n1 1 1\n", {"line 1", "\"3\" stands where"});
  data("2\n3\n1\n1 4 1\n", {"line 4", "row 0, column 3", "is 4", "between 1 and 3"});
  data("2\n3\n1\n1 0 1\n", {"line 4", "row 0, column -1", "is 0", "between 1 and 3"});
  data("2\n3\n1\n0 1 1\n", {"line 4", "row number is 0"});
  data("2\n3\n1\n3 1 1\n", {"line 4", "row number is 3", "between 1 and 2"});
  data("2\n3\n1\n1 1 -1\n", {"line 4", "row 0, column 0", "-1"});
  data("2\n3\n3\n1 2 1\n2 1 1\n2 1 1\n", {"line 6", "row 1, column 0", "twice"});
  data("2\n3\n3\n2 1 1\n1 2 1\n2 1 1\n", {"row 1, column 0", "twice"});  // rows fall: the line is not known
  data("-2\n3\n1\n1 1 1\n", {"line 1", "-2", "negative"});
  data("2\n2147483648\n1\n1 1 1\n", {"2147483648 columns", "2147483647"});
  // A small file must not cause a large allocation.
  data("99000000000000\n3\n1\n99000000000000 1 1\n", {"empty rows are not plausible"});
  data("99000000000000\n3\n1\n1 1 1\n", {"empty rows are not plausible"});
}

void test_matrix_market_refused(void**) {
  const auto format = [](const std::string& text, std::vector<std::string> pieces) {
    refuse("matrix_market", VTEMPER_ERROR_FORMAT, text, std::move(pieces));
  };
  const auto data = [](const std::string& text, std::vector<std::string> pieces) {
    refuse("matrix_market", VTEMPER_ERROR_DATA, text, std::move(pieces));
  };
  const std::string banner = "%%MatrixMarket matrix coordinate integer general\n";
  format("%MatrixMarket matrix coordinate integer general\n1 1 0\n", {"line 1", "%%MatrixMarket"});
  format("%%MatrixMarket vector coordinate real general\n", {"line 1", "object is 'vector'"});
  format("%%MatrixMarket matrix arrays real general\n", {"line 1", "layout is 'arrays'", "coordinate, array"});
  format("%%MatrixMarket matrix array pattern general\n2 1\n", {"line 1", "a pattern has no values"});
  format("%%MatrixMarket matrix array real general\n2 1\n1\n", {"line 4", "2 values", "ends after 1"});
  format("%%MatrixMarket matrix array real general\n2 1\n1\n2\n3\n", {"line 5", "2 values", "one more"});
  format("%%MatrixMarket matrix array real general\n2 1\n1 2\n", {"line 3"});
  format("%%MatrixMarket matrix array real general\n2 1\n1\nx\n", {"line 4", "is not a value"});
  format("%%MatrixMarket matrix array real general\n900000000000000000 90\n1\n", {"more than can be addressed"});
  data("%%MatrixMarket matrix array real general\n-2 1\n1\n", {"line 2", "-2 rows"});
  data("%%MatrixMarket matrix array real general\n900000000000000000 0\n", {"line 2", "0 columns"});
  data("%%MatrixMarket matrix array real general\n2 1\n1\ninf\n", {"row 1, column 0"});
  format("%%MatrixMarket matrix coordinate complex general\n", {"line 1", "field is 'complex'"});
  format("%%MatrixMarket matrix coordinate real symmetric\n", {"line 1", "symmetry is 'symmetric'", "general"});
  format("%%MatrixMarket matrix array real skew-symmetric\n", {"symmetry is 'skew-symmetric'", "mmwrite"});
  format(banner + "2 2\n", {"line 2", "ends where the number of entries should stand"});
  format(banner + "2 2 1\n", {"declares 1 entry,", "ends after 0"});
  data(banner + "2 2 1\n3 1 1\n", {"line 3", "row number is 3"});
  data(banner + "2 2 1\n1 3 1\n", {"line 3", "column number is 3"});
  data(banner + "%\n2 2 2\n1 1 1\n1 1 1\n", {"line 5", "row 0, column 0", "twice"});
  data(banner + "2 2 2\n1 1 1\n\n1 1 1\n", {"row 0, column 0", "twice"});  // a gap: the line is not known
  data(banner + "-2 2 2\n", {"line 2", "-2 rows"});
}

void test_svmlight_refused(void**) {
  refuse("svmlight", VTEMPER_ERROR_FORMAT, "word 1:1\n", {"line 1", "\"word\" is not a label"});
  refuse("svmlight", VTEMPER_ERROR_FORMAT, "1 1:1 2\n", {"line 1", "instead of ':'"});
  refuse("svmlight", VTEMPER_ERROR_FORMAT, "1 1:1 sid:2\n", {"line 1", "\"sid:2\""});
  refuse("svmlight", VTEMPER_ERROR_DATA, "# x\n1 2:1 2:2\n", {"line 2", "row 0", "column 2", "twice"});
  refuse("svmlight", VTEMPER_ERROR_DATA, "1 1:1\n1 2:-0.5\n", {"line 2", "row 1, column 2", "-0.5"});
  refuse("svmlight", VTEMPER_ERROR_DATA, "1 -1:1\n", {"line 1", "column -1"});
  refuse("svmlight1", VTEMPER_ERROR_DATA, "1 2:1\n1 0:1\n", {"line 2", "row 1", "column 0", "svmlight0"});
}

void test_damaged_compression(void**) {
  Folder folder;
  Random random(5);
  const std::string text = lda_c(random_matrix(random, 300, 200));
  const std::string whole = contents(folder.write_compressed(text));
  for (const size_t length : {whole.size() - 1, whole.size() - 8, whole.size() / 2, size_t{20}}) {
    const std::string path = folder.write(whole.substr(0, length));
    assert_refused(VTEMPER_ERROR_FORMAT, {path, "truncated"}, [&] { data_read(path, "ldac"); });
  }
  std::string flipped = whole;
  flipped[whole.size() - 6] = static_cast<char>(flipped[whole.size() - 6] ^ 1);  // in the checksum
  const std::string path = folder.write(flipped);
  assert_refused(VTEMPER_ERROR_FORMAT, {path, "damaged"}, [&] { data_read(path, "ldac"); });
  // Two concatenated compressed files are one file.
  assert_int_equal(data_read(folder.write(whole + whole), "ldac")->rows(), 600);
}

void test_files_that_cannot_be_read(void**) {
  Folder folder;
  const std::string missing = folder.path() + "/missing";
  for (const char* format : {"auto", "ldac", "docword", "svmlight", "matrix_market", "mapped"}) {
    assert_refused(VTEMPER_ERROR_IO, {missing}, [&] { data_read(missing, format); });
    assert_refused(VTEMPER_ERROR_IO, {"a file cannot be opened: its path is empty"}, [&] { data_read("", format); });
  }
  assert_refused(VTEMPER_ERROR_IO, {folder.path()}, [&] { data_read(folder.path(), "ldac"); });
  const std::string path = folder.write("1 0:1\n");
  assert_refused(VTEMPER_ERROR_ARGUMENT, {"'lda'", "docword, ldac"}, [&] { data_read(path, "lda"); });
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_random_matrices),       cmocka_unit_test(test_large_file),
      cmocka_unit_test(test_sizes_of_headers),      cmocka_unit_test(test_forms_of_numbers_and_lines),
      cmocka_unit_test(test_svmlight_numbering),    cmocka_unit_test(test_lda_c_refused),
      cmocka_unit_test(test_lda_c_data_refused),    cmocka_unit_test(test_docword_refused),
      cmocka_unit_test(test_matrix_market_refused), cmocka_unit_test(test_svmlight_refused),
      cmocka_unit_test(test_damaged_compression),   cmocka_unit_test(test_files_that_cannot_be_read),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
