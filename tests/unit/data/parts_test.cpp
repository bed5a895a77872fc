// Parts of a text file, divided at line ends: together they are the whole file, wherever the divisions fall.

#include <sys/stat.h>
#include <unistd.h>

#include "unit/data/fixtures.h"

using namespace vtemper;
using namespace vtemper::test;

namespace {

/// A row as text, the same for all forms of data.
std::string row_text(const Data& data, int64_t row) {
  std::string text;
  if (data.is<Counts>()) {
    data.counts().visit_row(row,
                            [&](int32_t column, double value) { text += message(int64_t{column}, ":", value, " "); });
  } else if (data.is<Dense>()) {
    for (int64_t column = 0; column < data.columns(); ++column) text += message(data.dense().at(row, column), " ");
  } else {
    const int64_t length = data.sequences().row_length(row);
    std::vector<int32_t> symbols(static_cast<size_t>(length));
    data.sequences().read_row(row, length, symbols.data());
    for (const int32_t symbol : symbols) text += message(int64_t{symbol}, " ");
  }
  return text;
}

std::vector<std::string> rows_of(const Data& data) {
  std::vector<std::string> rows;
  for (int64_t row = 0; row < data.rows(); ++row) {
    rows.push_back(row_text(data, row));
    for (const auto& [field, texts] : data.row_texts) rows.back() += field + "=" + texts.at(row);
  }
  return rows;
}

void check_parts(const std::string& path, const std::string& format, const std::vector<int32_t>& numbers_of_parts) {
  const DataPointer whole = data_read(path, format);
  const std::vector<std::string> expected = rows_of(*whole);
  for (const int32_t parts : numbers_of_parts) {
    std::vector<std::string> rows;
    int64_t columns = 0;
    for (int32_t part = 0; part < parts; ++part) {
      const DataPointer data = data_read_part(path, format, part, parts);
      for (const std::string& row : rows_of(*data)) rows.push_back(row);
      assert_true(data->row_texts.size() == whole->row_texts.size());
      columns = std::max(columns, data->columns());
      assert_true((data->names == nullptr) == (whole->names == nullptr));
      if (whole->names) assert_true(*data->names == *whole->names);
    }
    if (rows != expected) fail_with(message(int64_t{parts}, " parts of ", format, " are not the whole"));
    assert_int_equal(columns, whole->columns());
  }
}

void parts_are_the_whole(void**) {
  Folder folder;
  const std::vector<int32_t> every = {1, 2, 3, 5, 8, 50, 200};
  const std::string ldac = "2 0:2 2:5\n1 1:1000\n0\n3 1:1 3:4 9:7\n1 0:1\n1 4:2\n0\n2 5:1 6:1\n";
  check_parts(folder.write(ldac), "ldac", every);
  check_parts(folder.write(ldac + "\n \n\n"), "ldac", every);             // the end may be empty lines
  check_parts(folder.write(ldac.substr(0, ldac.size() - 1)), "", every);  // or none, and the format recognised
  check_parts(folder.write("0\n"), "ldac", every);
  check_parts(folder.write(""), "ldac", every);
  check_parts(folder.write("2 0:2 2:5\r\n1 1:1\r\n0\r\n"), "ldac", every);
  const std::string numbers = "1,2\n3,4\n\n5,NA\n,7\n8,9\n1e9,-3\n";
  check_parts(folder.write(numbers), "csv", every);
  check_parts(folder.write("height,\"a, b\"\n" + numbers), "csv", every);
  check_parts(folder.write("height,weight\n"), "csv", every);
  check_parts(folder.write("1\t2\n\t\n\t4\n\n5\tNA\n"), "csv", every);
  check_parts(folder.write("\n;x;y\na;1,5;2\n;3;\nc;1,234;5\n"), "csv", every);
  check_parts(folder.write("\"x\"\t\"y\"\n\"1\"\t1.5\t2\n\"2\"\t3\t4\n\"3\"\t5\t6\n"), "csv", every);
  check_parts(folder.write(",0,1\n0,5,6\n1,7,8\n2,9,1\n3,2,2\n"), "csv", every);
  for (const char* column : {"\n1\n\n\n2\n3\n\n\n\n", "x\n\n1\n\n2\n\n", "\n\nx\n\n \n", "1\n\n\n\n\n\n"}) {
    check_parts(folder.write(column), "csv", every);  // blank lines are missing values
  }
  check_parts(folder.write("0 1 2\n3\n0 0 4 1\n2 2\n"), "sequences", every);
  check_parts(folder.write("yes 0 1\nno 3\nyes\nno 1\n"), "labelled_sequences", every);
}

/// Longer than all buffers, some lines longer than a part.
void large_files_are_cut_anywhere(void**) {
  Folder folder;
  Random random(5);
  std::string text;
  for (int row = 0; row < 3000; ++row) {
    const size_t length = row % 500 == 7 ? 15000 + random.below(15000) : random.below(40);
    text += number_text(static_cast<int64_t>(length));
    for (size_t i = 0; i < length; ++i)
      text += message(" ", static_cast<int64_t>(i * 3), ":", static_cast<int64_t>(1 + random.below(9)));
    text += "\n";
  }
  assert_true(text.size() > 1000000);
  check_parts(folder.write(text), "ldac", {2, 3, 7, 64, 257});
}

void what_has_no_parts_is_refused(void**) {
  Folder folder;
  assert_refused(VTEMPER_ERROR_UNSUPPORTED, {"is compressed", "packed"},
                 [&] { data_read_part(folder.write_compressed("1 0:1\n1 1:1\n", "packed"), "ldac", 0, 2); });
  for (const auto& [format, text] :
       {std::pair("docword", "1\n1\n1\n1 1 2\n"), {"svmlight", "1 1:5 3:6\n2 1:1 2:2\n"}}) {
    assert_refused(VTEMPER_ERROR_UNSUPPORTED, {format, "rows are not lines"},
                   [&] { data_read_part(folder.write(text), format, 1, 2); });
  }
  assert_refused(VTEMPER_ERROR_UNSUPPORTED, {"word_sequences", "numbered as they occur"},
                 [&] { data_read_part(folder.write("a b\nb a\n"), "word_sequences", 1, 2); });
  const std::string mapped = folder.path("mapped");
  data_write(*data_of({{1, 0}, {0, 2}}, 2), mapped);
  assert_refused(VTEMPER_ERROR_UNSUPPORTED, {"is mapped"}, [&] { data_read_part(mapped, "auto", 0, 2); });
  assert_refused(VTEMPER_ERROR_IO, {"missing"}, [&] { data_read_part(folder.path("missing"), "ldac", 0, 2); });
}

/// Parts of a pipe are refused before anything of it is read: all rows are still there for a reader of the whole.
void a_pipe_keeps_its_rows(void**) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const std::string rows = "0 1 2\n2 1 0\n1\n";
  assert_int_equal(write(ends[1], rows.data(), rows.size()), rows.size());
  close(ends[1]);
  const std::string path = message("/dev/fd/", int64_t{ends[0]});
  for (const char* format : {"sequences", "auto", "ldac"}) {
    assert_refused(VTEMPER_ERROR_UNSUPPORTED, {path, "is not a regular file"},
                   [&] { data_read_part(path, format, 0, 2); });
  }
  assert_int_equal(data_read(path, "sequences")->rows(), 3);
  close(ends[0]);

  // Opening a named pipe without a writer would wait for one.
  Folder folder;
  const std::string named = folder.path("named");
  assert_int_equal(mkfifo(named.c_str(), 0600), 0);
  assert_refused(VTEMPER_ERROR_UNSUPPORTED, {"is not a regular file"}, [&] { data_read_part(named, "auto", 1, 2); });
  assert_refused(VTEMPER_ERROR_IO, {"cannot be read"}, [&] { data_read_part(folder.path(""), "ldac", 0, 2); });
}

/// An error in a file is an error in one of its parts, and the message says where it is.
void faults_are_found_in_their_part(void**) {
  Folder folder;
  const std::string path = folder.write("1 0:1\n1 1:1\n1 2:1\n1 3:1\n1 4:1\n1 5:x\n1 6:1\n1 7:1\n");
  for (const int32_t parts : {2, 3, 4}) {
    int refusals = 0;
    for (int32_t part = 0; part < parts; ++part) {
      try {
        data_read_part(path, "ldac", part, parts);
      } catch (const Error& error) {
        ++refusals;
        assert_int_equal(error.status(), VTEMPER_ERROR_FORMAT);
        assert_non_null(std::strstr(error.what(), " from byte "));
        assert_non_null(std::strstr(error.what(), "\"x\" is not a count"));
      }
    }
    assert_int_equal(refusals, 1);
  }
  // An empty line inside a file is refused by one of the parts, wherever the division is.
  const std::string gap = folder.write("1 0:1\n1 1:1\n\n1 3:1\n1 4:1\n1 5:1\n");
  for (const int32_t parts : {1, 2, 3, 4, 6}) {
    int refusals = 0;
    for (int32_t part = 0; part < parts; ++part) {
      try {
        data_read_part(gap, "ldac", part, parts);
      } catch (const Error& error) {
        ++refusals;
        assert_non_null(std::strstr(error.what(), "the line is empty"));
      }
    }
    assert_int_equal(refusals, 1);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(parts_are_the_whole),
      cmocka_unit_test(large_files_are_cut_anywhere),
      cmocka_unit_test(what_has_no_parts_is_refused),
      cmocka_unit_test(a_pipe_keeps_its_rows),
      cmocka_unit_test(faults_are_found_in_their_part),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
