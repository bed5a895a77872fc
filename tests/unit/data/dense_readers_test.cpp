// Files of dense rows: what was written is read back, plain and compressed; damaged or impossible content is refused
// with file, row and column.

#include <cmath>

#include "unit/data/fixtures.h"

using namespace vtemper;
using namespace vtemper::test;

namespace {

std::string big_endian(uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i) & 255);
  return text;
}

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string reversed(std::string text, size_t size) {
  for (size_t i = 0; i < text.size(); i += size) {
    std::reverse(text.begin() + static_cast<long>(i), text.begin() + static_cast<long>(i + size));
  }
  return text;
}

std::string npy(const std::string& type, const std::string& order, const std::string& shape,
                const std::string& values, int version = 1) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
  std::string text = "\x93NUMPY";
  text += static_cast<char>(version);
  text += '\0';
  text += static_cast<char>(header.size() & 255);
  text += static_cast<char>(header.size() >> 8);
  if (version > 1) text += std::string(2, '\0');
  return text + header + values;
}

std::string idx(int type, const std::vector<uint32_t>& shape, const std::string& values) {
  std::string text = big_endian(0, 2) + static_cast<char>(type) + static_cast<char>(shape.size());
  for (const uint32_t size : shape) text += big_endian(size, 4);
  return text + values;
}

/// The values of a file, plain and compressed, with its format given and recognised.
Matrix read(const std::string& text, const char* format) {
  Folder folder;
  Matrix matrix;
  for (const std::string& path : {folder.write(text, "plain"), folder.write_compressed(text, "compressed")}) {
    for (const char* asked : {format, "auto"}) {
      const DataPointer data = data_read(path, asked);
      assert_true(data->is<Dense>());
      Matrix values(static_cast<size_t>(data->rows()), std::vector<double>(static_cast<size_t>(data->columns())));
      for (int64_t row = 0; row < data->rows(); ++row) {
        for (int64_t column = 0; column < data->columns(); ++column) {
          values[static_cast<size_t>(row)][static_cast<size_t>(column)] = data->dense().at(row, column);
        }
      }
      for (size_t row = 0; row < matrix.size(); ++row) {
        assert_memory_equal(matrix[row].data(), values[row].data(), values[row].size() * sizeof(double));
      }
      matrix = std::move(values);
    }
  }
  return matrix;
}

void refused(const std::string& text, const char* format, vtemper_status status, const char* piece) {
  Folder folder;
  for (const std::string& path : {folder.write(text, "plain"), folder.write_compressed(text, "compressed")}) {
    assert_refused(status, {path, piece}, [&] { data_read(path, format); });
  }
}

const Matrix expected = {{1, 2, 3}, {4, 5, 6}};

void test_npy(void**) {
  const std::string doubles = raw<double>({1, 2, 3, 4, 5, 6}), columns = raw<double>({1, 4, 2, 5, 3, 6});
  for (const int version : {1, 2, 3})
    assert_true(read(npy("<f8", "False", "(2, 3)", doubles, version), "npy") == expected);
  assert_true(read(npy("<f8", "True", "(2, 3)", columns), "npy") == expected);
  assert_true(read(npy(">f8", "False", "(2, 3)", reversed(doubles, 8)), "npy") == expected);
  assert_true(read(npy("<f4", "False", "(2, 3)", raw<float>({1, 2, 3, 4, 5, 6})), "npy") == expected);
  // 1 to 6; then the least and the largest half, one below 1, and a missing value.
  assert_true(read(npy("<f2", "False", "(2, 3)", raw<uint16_t>({0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600})),
                   "npy") == expected);
  assert_true(read(npy(">f2", "False", "(1, 4)", reversed(raw<uint16_t>({0x0001, 0xfbff, 0x3555, 0x8000}), 2)),
                   "npy") == Matrix({{std::ldexp(1, -24), -65504, 0.333251953125, 0}}));
  assert_true(std::isnan(read(npy("<f2", "False", "(1, 2)", raw<uint16_t>({0x7e00, 0x3c00})), "npy")[0][0]));
  assert_true(read(npy("|u1", "False", "(2, 3)", raw<uint8_t>({1, 2, 3, 4, 5, 6})), "npy") == expected);
  assert_true(read(npy("|b1", "False", "(2, 1)", raw<uint8_t>({1, 0})), "npy") == Matrix({{1}, {0}}));
  assert_true(read(npy("<i8", "False", "(2, 3)", raw<int64_t>({1, 2, 3, 4, 5, 6})), "npy") == expected);
  assert_true(read(npy(">i2", "False", "(2, 1)", reversed(raw<int16_t>({-7, 300}), 2)), "npy") ==
              Matrix({{-7}, {300}}));
  assert_true(read(npy("<u4", "False", "(1, 1)", raw<uint32_t>({4294967295u})), "npy") == Matrix({{4294967295.0}}));
  assert_true(read(npy("<f8", "False", "(2,)", raw<double>({1, 2})), "npy") == Matrix({{1}, {2}}));
  assert_true(read(npy("<f8", "False", "(2, 1, 3)", doubles), "npy") == expected);
  const Matrix missing = read(npy("<f8", "False", "(1, 2)", raw<double>({std::nan(""), 2})), "npy");
  assert_true(std::isnan(missing[0][0]) && missing[0][1] == 2);
}

void test_idx(void**) {
  assert_true(read(idx(8, {2, 3}, raw<uint8_t>({1, 2, 3, 4, 5, 6})), "idx") == expected);
  assert_true(read(idx(8, {2, 1, 3}, raw<uint8_t>({1, 2, 3, 4, 5, 6})), "idx") == expected);
  assert_true(read(idx(9, {2}, raw<int8_t>({-1, 100})), "idx") == Matrix({{-1}, {100}}));
  assert_true(read(idx(11, {1, 2}, reversed(raw<int16_t>({-300, 7}), 2)), "idx") == Matrix({{-300, 7}}));
  assert_true(read(idx(12, {1, 2}, reversed(raw<int32_t>({-70000, 7}), 4)), "idx") == Matrix({{-70000, 7}}));
  assert_true(read(idx(13, {1, 2}, reversed(raw<float>({0.5, 7}), 4)), "idx") == Matrix({{0.5, 7}}));
  assert_true(read(idx(14, {1, 2}, reversed(raw<double>({0.1, 7}), 8)), "idx") == Matrix({{0.1, 7}}));
}

void test_csv(void**) {
  assert_true(read("1,2,3\n4,5,6\n", "csv") == expected);
  assert_true(read(" 1 ,\t2,3\r\n\r\n4,5e0,+6", "csv") == expected);
  assert_true(read("\"1\",\"2\",\"3\"\r\n4,5,6\r\n", "csv") == expected);
  assert_true(read("\xef\xbb\xbf\x31,2,3\n4,5,6\n", "csv") == expected);  // a byte order mark
  assert_true(read("\xef\xbb\xbf\"1\",2,3\n4,5,6\n", "csv") == expected);
  const Matrix missing = read("1,NA,3\n,nan,NaN\n", "csv");
  assert_true(missing[0][0] == 1 && std::isnan(missing[0][1]) && missing[0][2] == 3);
  for (const double value : missing[1]) assert_true(std::isnan(value));

  Folder folder;
  const DataPointer named = data_read(folder.write("\"height, in cm\", \"the \"\"weight\"\"\" ,age\n1,2,3\n"), "csv");
  assert_int_equal(named->rows(), 1);
  assert_string_equal((*named->names)[0].c_str(), "height, in cm");
  assert_string_equal((*named->names)[2].c_str(), "age");
  const DataPointer single = data_read(folder.write("x\n1\n2\n", "single"), "csv");
  assert_int_equal(single->rows(), 2);
  assert_int_equal(single->columns(), 1);
  const DataPointer empty = data_read(folder.write("x,y\n", "empty"), "csv");
  assert_int_equal(empty->rows(), 0);
  assert_int_equal(empty->columns(), 2);
}

void test_separators_of_csv(void**) {
  assert_true(read("1\t2\t3\n4\t5\t6\n", "csv") == expected);
  assert_true(read("1;2;3\n4;5;6\n", "csv") == expected);
  assert_true(read("\"a, b\";\"c\td\";e\n1;2;3\n4;5;6\n", "csv") == expected);
  const Matrix decimals = {{1.5, 2}, {-0.25, 1.25e3}};
  for (const char* text :
       {"1,5;2\n-,25;1,25e3\n", "1,5\t2\n-0,25\t1,25e3\n", "x;y\n1,5;2,0\n-0,25;+1250\n", "1.5;2\n-0.25;1.25e3\n"}) {
    assert_true(read(text, "csv") == decimals);
  }
  const Matrix missing = read("1\t\tNA\n\t\t\n\t2\t3\n", "csv");  // a tab at the begin of a line ends a field
  assert_true(missing.size() == 3 && missing[0][0] == 1 && std::isnan(missing[2][0]) && missing[2][1] == 2);
  for (const double value : missing[1]) assert_true(std::isnan(value));
  assert_true(read("1,5\n2,5\n", "csv") == Matrix({{1, 5}, {2, 5}}));  // commas separate first
  assert_true(read("1,\t2\n3,\t4\n", "csv") == Matrix({{1, 2}, {3, 4}}));
  assert_true(read("1,234;5\n0,5;6\n", "csv") == Matrix({{1.234, 5}, {0.5, 6}}));

  constexpr const char* mixture = "one of them may separate thousands";
  refused("1,5;2.5\n", "csv", VTEMPER_ERROR_FORMAT, mixture);
  refused("x;y\n1.234;2\n2;1,5\n", "csv", VTEMPER_ERROR_FORMAT, "line 3: decimals begin with a comma in \"1,5\"");
  refused("x\ty\n1,234\t0.5\n", "csv", VTEMPER_ERROR_FORMAT, mixture);
  refused("x;y\n1.234,5;2\n", "csv", VTEMPER_ERROR_FORMAT,
          "holds \"1.234,5\", which is not a number; decimals begin");
  refused("x;y\n1,234,567;2\n", "csv", VTEMPER_ERROR_FORMAT, "thousands are not separated");
  refused("x;y\n3;1,234\n-12,345;4\n", "csv", VTEMPER_ERROR_FORMAT, "line 2: the comma in \"1,234\" may separate");
  refused("x;y\n3;1,\n", "csv", VTEMPER_ERROR_FORMAT, "which is not a number");
}

/// Reads a table with names of rows, plain and compressed, and as its converted file.
void read_named(const std::string& text, const Names& names, const std::vector<std::string>& rows,
                const Matrix& values, const char* format = "auto") {
  Folder folder;
  const std::string plain = folder.write(text, "plain"), converted = folder.path("converted");
  data_convert(plain, format, {}, converted);
  for (const std::string& path : {plain, folder.write_compressed(text, "compressed"), converted}) {
    const DataPointer data = data_read(path, path == converted ? "mapped" : format);
    data_verify(*data);
    assert_int_equal(data->rows(), static_cast<int64_t>(rows.size()));
    assert_true(*data->names == names);
    const RowTexts& texts = data->row_texts.at("name");
    assert_int_equal(texts.rows(), static_cast<int64_t>(rows.size()));
    for (size_t row = 0; row < rows.size(); ++row) {
      assert_string_equal(texts.at(static_cast<int64_t>(row)), rows[row].c_str());
      for (size_t column = 0; column < names.size(); ++column) {
        assert_true(data->dense().at(static_cast<int64_t>(row), static_cast<int64_t>(column)) == values[row][column]);
      }
    }
  }
}

void test_row_names_of_csv(void**) {
  const Matrix values = {{1, 2}, {3, 4}};
  read_named(",a,b\n0,1,2\n1,3,4\n", {"a", "b"}, {"0", "1"}, values);                                        // pandas
  read_named("\ta\tb\n2020-01-01\t1\t2\nx y\t3\t4\n", {"a", "b"}, {"2020-01-01", "x y"}, values);            // tabs
  read_named("\"\",\"a\",\"b\"\n\"1\",1,2\n\"n, \"\"m\"\"\",3,4\n", {"a", "b"}, {"1", "n, \"m\""}, values);  // R
  read_named("\"\";\"a\";\"b\"\n\"1\";1,0;2\n\"2\";3;4\n", {"a", "b"}, {"1", "2"}, values);  // write.csv2
  read_named("\"a\"\t\"b\"\n\"1\"\t1\t2\n\"2\"\t3\t4\n", {"a", "b"}, {"1", "2"}, values);    // write.table
  read_named("a,b\nx,1,2\n7,3,4\n", {"a", "b"}, {"x", "7"}, values);
  read_named(",a\n\nx,1\n\n,3\n\n", {"a"}, {"x", ""}, {{1}, {3}});     // blank lines are skipped
  read_named(",0,1\n0,1,2\n1,3,4\n", {"0", "1"}, {"0", "1"}, values);  // pandas without names of columns
  read_named(",a,b\n", {"a", "b"}, {}, {}, "csv");

  assert_true(std::isnan(read(",0\n1,5\n", "csv")[0][0]));  // a row with a missing value
  refused(",0\n0,1\n0,0\n", "csv", VTEMPER_ERROR_FORMAT, "line 3: the first line has an empty field and the numbers");
  refused(",0,1,2\n17,1,2,3\n", "csv", VTEMPER_ERROR_FORMAT, "line 1: the first line has an empty field and the");
  refused("a,b,\n1,2,\n", "csv", VTEMPER_ERROR_FORMAT, "line 1: the last name is empty, and so is the last field");
  refused("a;b;\n1;2\n", "csv", VTEMPER_ERROR_FORMAT, "remove the semicolons at the ends of the lines");
  for (const char* text : {"Figures of 2020,\nx,y\n1,2\n", "Figures,,2020-05\nx,y,z\n1,2,3\n", "sep=;\nx;y\n1;2\n"}) {
    refused(
        text, "csv", VTEMPER_ERROR_FORMAT,
        "line 1: the first line names the columns, but its field 2 is empty; remove lines above that of the names");
  }
  for (const char* text : {"a,,b\n1,2,3\n", "a,,b\n1,,3\n", ",,b\nx,2,3\n", "a,,b\n"}) {
    refused(text, "csv", VTEMPER_ERROR_FORMAT,
            "line 1: the first line names the columns, but its field 2 is empty; name that column");
  }
  refused("a,a\n1,2\n", "csv", VTEMPER_ERROR_DATA, "by the first line: names[1] is 'a', which names[0] is already");
  refused("a,\xe4\n1,2\n", "csv", VTEMPER_ERROR_DATA, "names[1] is not valid UTF-8; convert the file to UTF-8");
  for (const char* field : {"TRUE", "True", "false", "yes", "No", "N"}) {
    refused("a,b\n" + std::string(field) + ",1\n", "csv", VTEMPER_ERROR_FORMAT,
            "which is not a number; true and false, yes and no are given as 1 and 0; the column is");
  }
  for (const char* field : {"5%", "2020-01-02", "12:30", "$5", "1/2"}) {
    refused(
        "a,b\n1," + std::string(field) + "\n", "csv", VTEMPER_ERROR_FORMAT,
        "which is not a number; numbers stand without units and percent signs, and dates and times are no numbers");
  }
  refused("# figures\nx,y\n1,2\n", "csv", VTEMPER_ERROR_FORMAT,
          "line 2: row 0 has 2 fields, but the first line has 1; remove lines above that of the names");
  refused("a|b\n1|2\n", "csv", VTEMPER_ERROR_FORMAT, "by commas, semicolons or tabs, not by |");
  // One field more than names, but perhaps a split decimal or the end of a line.
  refused("a,b\n1,5,2\n", "csv", VTEMPER_ERROR_FORMAT,
          "row 0 has 3 fields, but the first line has 2; names of the rows");
  refused("a\tb\nx\t1\t\n", "csv", VTEMPER_ERROR_FORMAT, "remove the tabs at the ends of the lines");
  refused(",a\n\xff,1\n", "csv", VTEMPER_ERROR_DATA, "the name of row 0 is not valid UTF-8");
  refused(std::string(",a\nx,1\n\0,1\n", 11), "csv", VTEMPER_ERROR_DATA, "the name of row 1 has a zero byte");
  refused(",a,b\nx,1,wide\n", "csv", VTEMPER_ERROR_FORMAT, "row 0, column 1 holds \"wide\", which is not a number");
}

void test_text_in_first_column_of_csv(void**) {
  constexpr const char* cure = "names of the rows are a first column whose name in the first line is empty";
  refused("id,x\na17,1\n", "csv", VTEMPER_ERROR_FORMAT, cure);
  refused("id,x\na17,1\n", "csv", VTEMPER_ERROR_FORMAT, "row 0, column 0 holds \"a17\", which is not a number");
  refused("id,x\na17,1\n", "csv", VTEMPER_ERROR_FORMAT, "the column is \"id\"");
  refused("day,x\n2020-01-01,1\n", "csv", VTEMPER_ERROR_FORMAT, cure);
  refused("2020-01-01,1\n2020-01-02,2\n", "csv", VTEMPER_ERROR_FORMAT, cure);
  refused("a,1\nb,2\n", "csv", VTEMPER_ERROR_FORMAT, cure);
}

/// The values of a single column, its format given.
std::vector<double> column(const std::string& text) {
  Folder folder;
  const DataPointer data = data_read(folder.write(text, "column"), "csv");
  assert_int_equal(data->columns(), 1);
  std::vector<double> values;
  for (int64_t row = 0; row < data->rows(); ++row) values.push_back(data->dense().at(row, 0));
  return values;
}

void test_blank_lines_of_csv(void**) {
  assert_true(read("\n1,2,3\n\n \t\r\n4,5,6\n\n", "csv") == expected);  // skipped
  const double none = std::nan("");
  const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
  };
  assert_true(same(column("1\n\n2\n\n"), {1, none, 2, none}));
  assert_true(same(column("\n \r\n1\n2"), {none, none, 1, 2}));
  assert_true(same(column("\nx\n\n1\r\n\r\n2\r\n"), {none, 1, none, 2}));  // the first is before the name
  assert_true(same(column("x\n\n\n"), {none, none}));
  refused("1,2\n\n3\n", "csv", VTEMPER_ERROR_FORMAT, "line 3: row 1 has 1 field");
  refused("1\n\nwide\n", "csv", VTEMPER_ERROR_FORMAT, "line 3: row 2, column 0 holds");
}

void test_line_ends(void**) {
  constexpr const char* reason = "line 1: a carriage return (CR) inside a line";
  refused("1,2\r3,4\r", "csv", VTEMPER_ERROR_FORMAT, reason);
  refused("1\r2\r", "csv", VTEMPER_ERROR_FORMAT, reason);
  refused("1,2\r3,4\n5,6\n", "csv", VTEMPER_ERROR_FORMAT, reason);
  refused("0 1 2\r2 1\r", "sequences", VTEMPER_ERROR_FORMAT, reason);
  refused("2 0:1 1:1\r1 0:2", "ldac", VTEMPER_ERROR_FORMAT, reason);
  refused("some\rlines\r", "auto", VTEMPER_ERROR_FORMAT, reason);
  assert_true(read("1,2,3\r\n4,5,6\r", "csv") == expected);
  Folder folder;
  const DataPointer quoted = data_read(folder.write("\"x\ry\",z\r\n1,2\r\n"), "csv");
  assert_true(quoted->rows() == 1 && (*quoted->names)[0] == "x\ry");
}

void test_marks_of_csv(void**) {
  const auto refuse = [](const char* text, const char* mark) {
    refused(text, "csv", VTEMPER_ERROR_FORMAT, mark);
    refused(text, "auto", VTEMPER_ERROR_FORMAT, "and no name of a column; missing values are empty, NA or NaN");
  };
  refuse("?,?,?\n1,2,3\n", "line 1: the first line has \"?\"");
  refuse("\n-,-,-\n1,2,3\n", "line 2: the first line has \"-\"");
  refuse("5.1,?,NA\n1,2,3\n", "\"?\"");
  refuse("1,N/A,3\n1,2,3\n", "\"N/A\"");
  refuse("null, None \n1,2\n", "\"null\"");
  refused("?\n1\n", "csv", VTEMPER_ERROR_FORMAT, "\"?\"");
  Folder folder;
  for (const char* names : {"?,x", "1990,?,total", "\xce\xb1,-"}) {
    assert_int_equal(data_read(folder.write(std::string(names) + "\n", "names"), "csv")->rows(), 0);
  }
}

void test_damaged_csv(void**) {
  refused("", "csv", VTEMPER_ERROR_FORMAT, "has no lines");
  refused("1,2\n3\n", "csv", VTEMPER_ERROR_FORMAT, "line 2: row 1 has 1 field, but the first line has 2");
  refused("1,2\n3,4,5\n", "csv", VTEMPER_ERROR_FORMAT, "line 2: row 1 has 3 fields");
  refused("x,y\n1,2\n3,wide\n", "csv", VTEMPER_ERROR_FORMAT, "line 3: row 1, column 1 holds \"wide\"");
  refused("1,2\n3,inf\n", "csv", VTEMPER_ERROR_DATA, "row 1, column 1 is inf");
  refused("1,2\n3,1e999\n", "csv", VTEMPER_ERROR_FORMAT, "holds \"1e999\", which is not a number");
  refused("1,1e999\n3,4\n", "csv", VTEMPER_ERROR_FORMAT, "line 1: row 0, column 1 holds \"1e999\"");
  refused("1,\"2\n3,4\n", "csv", VTEMPER_ERROR_FORMAT, "quotes are not closed");
  refused("1,\"2\"x\n", "csv", VTEMPER_ERROR_FORMAT, "should end");
  refused("x,x\n1,2\n", "csv", VTEMPER_ERROR_DATA, "names");
  refused("1," + std::string(70000, '1') + "\n", "csv", VTEMPER_ERROR_FORMAT, "more than 65536 characters");
}

/// An array lists its values by columns; scipy writes missing ones as nan.
void test_matrix_market_array(void**) {
  const std::string values = "% a comment\n2 3\n1\n-4\n2.5\n\n5e0\n3\n6\n";
  for (const char* field : {"real", "double", "integer"}) {
    const std::string text = message("%%MatrixMarket matrix array ", field, " general\n", values);
    for (const char* format : {"auto", "matrix_market"}) {
      assert_true(read(text, format) == Matrix({{1, 2.5, 3}, {-4, 5, 6}}));
    }
  }
  const Matrix missing = read("%%MatrixMarket matrix array real general\n1 2\nnan\n2\n", "auto");
  assert_true(std::isnan(missing[0][0]) && missing[0][1] == 2);
}

void test_damaged_npy(void**) {
  const std::string doubles = raw<double>({1, 2, 3, 4, 5, 6});
  const auto wrong = [](const std::string& text, const char* piece) {
    refused(text, "npy", VTEMPER_ERROR_FORMAT, piece);
  };
  wrong("", "does not begin with the magic bytes");
  wrong("\x93NUMPX", "does not begin with the magic bytes");
  wrong(npy("<f8", "False", "(2, 3)", doubles, 9), "its version is 9");
  wrong(npy("<f8", "False", "(2, 3)", doubles).substr(0, 30), "ends within the header");
  wrong(npy("<f8", "False", "(2, 3)", doubles.substr(1)), "declares 2 rows of 3 values, but ends after 5 values");
  wrong(npy("<f8", "False", "(2, 3)", doubles + "x"), "goes on after the 2 rows");
  wrong(npy("<f8", "False", "(9000000000, 9000000000)", doubles), "more than can be addressed");
  wrong(npy("<f8", "False", "(9000000, 9000000)", doubles), "ends after 6 values");
  wrong(npy("<f1", "False", "(2, 3)", doubles), "its type is \"<f1\"");
  refused(npy("<f2", "False", "(1, 1)", raw<uint16_t>({0x7c00})), "npy", VTEMPER_ERROR_DATA, "is inf");
  wrong(npy("<c8", "False", "(2, 3)", doubles), "its type is \"<c8\"");
  wrong(npy("<f8", "Maybe", "(2, 3)", doubles), "neither True nor False");
  wrong(npy("<f8", "False", "(-2, 3)", doubles), "its shape holds \"-2\"");
  wrong(npy("<f8", "False", "()", doubles.substr(0, 8)), "a single value");
  wrong(npy("<f8", "False", "2", doubles), "not in brackets");
  wrong(npy("<f8", "True", "(1, 2, 3)", doubles), "in C order only");
  wrong("\x93NUMPY" + std::string("\2\0\xff\xff\xff\x7f", 6), "its header declares 2147483647 bytes");
  refused(npy("<f8", "False", "(1, 2)", raw<double>({1, INFINITY})), "npy", VTEMPER_ERROR_DATA,
          "row 0, column 1 is inf");
}

void test_damaged_idx(void**) {
  const auto wrong = [](const std::string& text, const char* piece) {
    refused(text, "idx", VTEMPER_ERROR_FORMAT, piece);
  };
  wrong("", "does not begin with two zeros");
  wrong(std::string("\1\0\x08\1", 4), "does not begin with two zeros");
  wrong(idx(7, {1}, "x"), "its type is 7");
  wrong(std::string("\0\0\x08\0", 4), "declares no dimensions");
  wrong(idx(8, {2, 3}, "").substr(0, 9), "ends within its 2 dimensions");
  wrong(idx(8, {2, 3}, "abc"), "declares 2 rows of 3 values, but ends after 3 values");
  wrong(idx(8, {2}, "abc"), "goes on after");
  wrong(idx(8, {4294967295u, 4294967295u, 4294967295u}, ""), "more than can be addressed");
  wrong(idx(8, {4294967295u, 10000000u}, "abc"), "ends after 3 values");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_npy),
      cmocka_unit_test(test_idx),
      cmocka_unit_test(test_csv),
      cmocka_unit_test(test_separators_of_csv),
      cmocka_unit_test(test_row_names_of_csv),
      cmocka_unit_test(test_text_in_first_column_of_csv),
      cmocka_unit_test(test_blank_lines_of_csv),
      cmocka_unit_test(test_line_ends),
      cmocka_unit_test(test_marks_of_csv),
      cmocka_unit_test(test_damaged_csv),
      cmocka_unit_test(test_damaged_npy),
      cmocka_unit_test(test_matrix_market_array),
      cmocka_unit_test(test_damaged_idx),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
