// The format of a text file is recognised from its content; if more than one is possible, the extension decides, or
// the reader says so.

#include "data/readers/formats.h"
#include "unit/data/fixtures.h"

using namespace vtemper;
using namespace vtemper::test;

namespace {

/// "" if it is not recognised.
std::string recognised(const std::string& head, bool is_all = true, const std::string& path = "file") {
  const FileFormat* format = recognise(head, is_all, path);
  return format == nullptr ? "" : format->name;
}

void assert_format(const char* expected, const std::string& head, bool is_all = true) {
  assert_string_equal(recognised(head, is_all).c_str(), expected);
}

void test_each_format(void**) {
  assert_format("ldac", "2 0:1 4:2\n1 3:1\n0\n");
  assert_format("ldac", "0\n0\n2 0:1 4:2");
  assert_format("svmlight", "1 1:1 4:2\n-1 3:1\n");
  assert_format("svmlight", "# written by hand\n1 1:1 4:2\n3 2:1 3:1\n");
  assert_format("svmlight", "1 qid:2 1:1 4:2\n1 qid:2 3:1\n");
  assert_format("svmlight", "2,5 1:1 4:2\n1 1:1 3:1\n");
  assert_format("svmlight", "0.5 1:1\n");
  assert_format("docword", "2\n3\n2\n1 1 1\n2 3 1\n");
  assert_format("docword", "2\n3\n0\n");
  assert_format("", "v\n1\n1\n1\n");  // a column with a name
  assert_format("matrix_market", "%%MatrixMarket matrix coordinate real general\n");
  assert_format("matrix_market", "%%matrixmarket nonsense");
  assert_format("csv", "1,2,3\n4,5,6\n");
  assert_format("csv", "length,width\r\n4,NA\r\n,6.5\r\n");
  assert_format("csv", "1,2,3\n4,5,6\n7,8", false);
  assert_format("csv", "1\t2\n3\t4\n");
  assert_format("csv", "1,5;2\nNA;\n");
  assert_format("csv", "x\ty\r\n1,5\t2\r\n");
  assert_format("csv", "\"\",\"x, y\",\"z\"\n\"one\",2,3\n");
  assert_format("csv", "\tx\na\t2\n");
  assert_format("csv", "\"x\"\t\"y\"\n\"1\"\t2\t3\n");
  assert_format("", "x\ty\n1\t2\t3\n");
  assert_format("npy", std::string("\x93NUMPY\x01\0v", 9));
  assert_format("idx", std::string("\0\0\x08\x03\0\0\0\x01", 8));
}

void test_one_wrong_line_does_not_change_the_format(void**) {
  // The reader of that format then names the line; as SVMlight it would be misread.
  assert_format("ldac", "2 0:1 4:2\n3 3:1 5:1\n2 1:1 2:1\n");
  assert_format("ldac", "2 0:1 4:2\n2 3:1 5:x\n2 1:1 2:1\n");
}

void test_unsure(void**) {
  assert_format("", "");
  assert_format("", "\n\n");
  assert_format("", "1 3:1\n0\n1 4:2\n");  // LDA-C, or SVMlight with classes 0 and 1
  assert_format("", "0\n0\n0\n");          // three empty documents, or an empty docword
  assert_format("", "1\n2\n");
  assert_format("", "the first document\nthe second\n");
  assert_format("", "length,width\n");
  assert_format("", "1,2,3\n4,5\n");
  assert_format("", "length,width\n1,wide\n");
  assert_format("", "0.5 1 2\n0.25 3 4\n");
  assert_format("", "0 1 0 2\n0 0 1\n1 2\n");
}

void assert_format_of(const char* path, const char* expected, const std::string& head) {
  assert_string_equal(recognised(head, true, path).c_str(), expected);
}

/// Where the content allows several formats, the extension decides; where it does not, the extension does not count.
void test_extensions(void**) {
  const std::string one_word = "1 0:1\n1 3:1\n", several = "2 1:1 4:2\n1 3:1\n", column = "2\n3\n0\n";
  for (const char* path : {"a.ldac", "folder.svm/a.ldac.gz"}) {
    assert_format_of(path, "ldac", one_word);
    assert_format_of(path, "ldac", several);
    assert_format_of(path, "ldac", "0\n0\n0\n");
    assert_format_of(path, "ldac", "3 0:1 4:2\n");
    assert_format_of(path, "ldac", "1 0:1 4:2\n0 1:1\n2 0:1 1:1\n");
    for (const char* text : {"0.5 1:1\n", "1 1:1 2:1\n-1 1:1 2:1\n", "3 qid:1 1:1\n"})
      assert_format_of(path, "svmlight", text);
    assert_format_of(path, "docword", column);
    assert_format_of(path, "csv", "1,2\n3,4\n");
  }
  for (const char* path : {"a.svm", "a.svm.gz", "a.svmlight", "a.libsvm", "a.ldac.libsvm.gz"}) {
    assert_format_of(path, "svmlight", one_word);
    assert_format_of(path, "svmlight", several);
    assert_format_of(path, "ldac", "2 0:1 4:2\n2 3:1 5:x\n2 1:1 2:1\n");
    assert_format_of(path, "matrix_market", "%%MatrixMarket matrix coordinate real general\n");
  }
  assert_format_of("a.csv", "csv", column);
  assert_format_of("a.csv.gz", "csv", "0\n0\n0\n");
  assert_format_of("a.tsv.gz", "csv", "0\n0\n0\n");
  assert_format_of("a.csv", "ldac", several);
  assert_format_of("a.csv", "docword", "2\n3\n2\n1 1 1\n2 3 1\n");
  for (const char* path : {"ldac", "a.txt", "a.ldac.txt", "a.svm/file", ".gz", ""}) {
    assert_format_of(path, "", one_word);
    assert_format_of(path, "ldac", several);
    assert_format_of(path, "docword", column);
  }
}

void test_heads_that_end_anywhere(void**) {
  // The last word of the first bytes may be incomplete.
  assert_format("ldac", "3 0:1 4:2 5", false);
  assert_format("ldac", "300 0:1 4:2 5:", false);
  assert_format("svmlight", "1 0:1 4:2 5:1 6", false);
  assert_format("ldac", "2 0:1 4:2\n3 0:1 1", false);
}

void test_random_heads_are_survived(void**) {
  Random random(11);
  const std::string letters = "0123 .:#,%-\n\teqid";
  for (int i = 0; i < 5000; ++i) {
    std::string head;
    for (uint64_t length = random.below(60); length > 0; --length) head += letters[random.below(letters.size())];
    const char* const paths[] = {"a", "a.ldac", "a.svm.gz", "a.csv"};
    recognised(head, i % 2 == 0, paths[random.below(4)]);
  }
}

void test_files(void**) {
  Folder folder;
  const char* text = "2 0:1 4:2\n2 3:1 4:1\n";
  // The extensions stand for none of the formats that this may be.
  for (const std::string& path : {folder.write(text, "a.mtx"), folder.write_compressed(text, "b.npy"),
                                  folder.write_compressed(text, "c.txt")}) {
    for (const char* format : {"auto", ""}) {
      const DataPointer data = data_read(path, format);
      assert_int_equal(data->columns(), 5);
      assert_true(data_total(*data) == 5);
    }
    // The caller may know better: as SVMlight, the columns count from 0 here, as the first line shows.
    assert_int_equal(data_read(path, "svmlight")->columns(), 5);
  }
  const std::string unsure = folder.write("1 3:1\n", "d.txt");
  assert_refused(VTEMPER_ERROR_FORMAT, {unsure, "cannot be recognised", "docword, ldac, svmlight, svmlight0"},
                 [&] { data_read(unsure, "auto"); });
  assert_int_equal(data_read(unsure, "ldac")->columns(), 4);
  const auto refused = [&](const std::string& path, const std::string& why) {
    assert_refused(VTEMPER_ERROR_FORMAT, {path + why}, [&] { data_read(path, "auto"); });
  };
  for (const char* numbers : {"1 2.5\n3 -4e1\n", " 1 \t2\r\n3\n"}) {
    const std::string path = folder.write(numbers, "numbers");
    refused(path,
            " cannot be recognised: it holds numbers with blanks between; sequences of symbols need the format");
    refused(path, " makes a CSV table");
  }
  for (const char* other : {" \n \n", " 1\n 2\n", "- x\n"})
    refused(folder.write(other, "other"), " cannot be recognised; give one of docword");
  const std::string advice = "; export its data as CSV, which may be compressed by gzip";
  for (const char* name : {"other", "table.csv"}) {
    refused(folder.write("PK\x03\x04rest", name), " is a ZIP archive or an office document" + advice);
    refused(folder.write("PAR1rest", name), " is a Parquet file" + advice);
    refused(folder.write_compressed({"X\n\0\0\0\3", 6}, name), " is an object of R" + advice);
  }
  assert_int_equal(data_read(folder.write_compressed("1 3:1\n", "d.ldac.gz"), "auto")->columns(), 4);
  for (const std::string& path :
       {folder.write("3 0:1 4:2\n", "short.ldac"), folder.write_compressed("3 0:1 4:2\n", "short.ldac.gz")}) {
    refused(path, ", line 1: row 0 declares 3 words but has 2");
  }
  assert_int_equal(data_read(folder.write("1 3:1\n", "d.libsvm"), "auto")->columns(), 3);
  const std::string empty = folder.write("", "e");
  assert_refused(VTEMPER_ERROR_FORMAT, {empty, "cannot be recognised"}, [&] { data_read(empty, "auto"); });
  assert_int_equal(data_read(empty, "ldac")->rows(), 0);
  const std::string wide = folder.write(std::string("\xff\xfe") + std::string("1\0,\0002\0\n\0", 8), "wide.csv");
  assert_refused(VTEMPER_ERROR_FORMAT, {wide, "UTF-16"}, [&] { data_read(wide, "auto"); });
}

/// If the lines do not determine the format, the file name does, and the reader reports what is wrong.
void test_named_tables(void**) {
  Folder folder;
  const DataPointer single = data_read(folder.write("1.5\n2\n3\n", "single.csv"), "auto");
  assert_int_equal(single->rows(), 3);
  assert_int_equal(single->columns(), 1);
  assert_int_equal(data_read(folder.write_compressed("\"1\",\"2\"\n", "quoted.csv.gz"), "auto")->columns(), 2);
  const auto refused = [&](const char* text, const char* why) {
    const std::string path = folder.write(text, "table.csv");
    assert_refused(VTEMPER_ERROR_FORMAT, {path, why}, [&] { data_read(path, "auto"); });
  };
  refused("1,2\n3\n4,5\n", "line 2: row 1 has 1 field, but the first line has 2");
  refused("x,y\n1,?\n", "line 2: row 0, column 1 holds \"?\", which is not a number; missing values are empty");
  refused("1 2\n3 4\n", "fields are separated by commas, semicolons or tabs, not by blanks");
  refused("x y\n1.5 2\n", "fields are separated by commas, semicolons or tabs, not by blanks");
  refused("\"x\" \"y\"\n\"1\" 1.5 2\n", "line 1: fields are separated by commas, semicolons or tabs, not by blanks");
  refused("x,y\n1;2\n",
          "row 0 has 1 field, but the first line has 2; fields seem to be separated by semicolons, but those of the "
          "first line by commas");
  refused("x\n1;2\n", "fields are separated by commas, which the first line decides, not by semicolons");
  refused("x\n1,5\n", "decimals begin with a point where commas separate fields");
  refused("1.234.567,2\n3,4\n", "line 1: the first line has \"1.234.567\" and no name of a column; decimals begin");
  refused("5%,2\n3,4\n", "the first line has \"5%\" and no name of a column");
  refused("1,12:30\n3,4\n", "the first line has \"12:30\" and no name of a column");
  assert_int_equal(data_read(folder.write("item,2020-01\n3,4\n", "dated.csv"), "auto")->rows(), 1);
  refused("", "has no lines");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_each_format),
      cmocka_unit_test(test_one_wrong_line_does_not_change_the_format),
      cmocka_unit_test(test_unsure),
      cmocka_unit_test(test_extensions),
      cmocka_unit_test(test_heads_that_end_anywhere),
      cmocka_unit_test(test_random_heads_are_survived),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_named_tables),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
