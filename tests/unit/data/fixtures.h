#pragma once
// Small matrices as arrays, data back to matrices, refusals, files that end with the test.

#include <unistd.h>
#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "data/data.h"
#include "data/typed_array.h"
#include "support/cmocka.h"
#include "support/error.h"
#include "support/random.h"

namespace vtemper::test {

using Matrix = std::vector<std::vector<double>>;

/// Mostly zeros, else counts of 1 to 5; some rows and columns are empty.
inline Matrix random_matrix(Random& random, size_t rows, size_t columns) {
  Matrix matrix(rows, std::vector<double>(columns));
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; row % 4 != 2 && column < columns; ++column) {
      if (random.below(3) == 0) matrix[row][column] = 1 + static_cast<double>(random.below(5));
    }
  }
  return matrix;
}

/// The arrays of a matrix, as a caller would pass them.
template <class Offset, class Index, class Value>
struct Arrays {
  vtemper_layout layout = VTEMPER_BY_ROWS;
  int64_t rows = 0, columns = 0, base = 0;
  std::vector<Offset> offsets;
  std::vector<Index> indices;
  std::vector<Value> values;

  CountsArrays view() const {
    CountsArrays arrays;
    arrays.layout = layout;
    arrays.rows = rows;
    arrays.columns = columns;
    arrays.offsets = typed_array(offsets.data());
    arrays.indices = typed_array(indices.data());
    arrays.values = typed_array(values.data());
    arrays.index_base = base;
    return arrays;
  }
};

using PlainArrays = Arrays<int64_t, int32_t, double>;

template <class Offset, class Index, class Value>
Arrays<Offset, Index, Value> arrays_of(const Matrix& matrix, size_t columns, vtemper_layout layout, int64_t base) {
  Arrays<Offset, Index, Value> arrays;
  arrays.layout = layout;
  arrays.rows = static_cast<int64_t>(matrix.size());
  arrays.columns = static_cast<int64_t>(columns);
  arrays.base = base;
  arrays.offsets.push_back(static_cast<Offset>(base));
  const bool by_rows = layout == VTEMPER_BY_ROWS;
  for (size_t line = 0; line < (by_rows ? matrix.size() : columns); ++line) {
    for (size_t place = 0; place < (by_rows ? columns : matrix.size()); ++place) {
      const double value = by_rows ? matrix[line][place] : matrix[place][line];
      if (value == 0) continue;
      arrays.indices.push_back(static_cast<Index>(place) + static_cast<Index>(base));
      arrays.values.push_back(static_cast<Value>(value));
    }
    arrays.offsets.push_back(static_cast<Offset>(arrays.indices.size()) + static_cast<Offset>(base));
  }
  return arrays;
}

inline DataPointer data_of(const Matrix& matrix, size_t columns) {
  return data_from_counts(arrays_of<int64_t, int32_t, double>(matrix, columns, VTEMPER_BY_ROWS, 0).view(), nullptr);
}

template <class Real = double>
Matrix matrix_of(const Data& data) {
  Matrix matrix(static_cast<size_t>(data.rows()), std::vector<double>(static_cast<size_t>(data.columns())));
  for (int64_t row = 0; row < data.rows(); ++row) {
    const int64_t length = data.counts().row_length(row);
    std::vector<int32_t> columns(static_cast<size_t>(length));
    std::vector<Real> values(static_cast<size_t>(length));
    const int64_t read = data.counts().read_row(row, length, columns.data(), values.data());
    for (int64_t i = 0; i < read; ++i) {
      const auto place = static_cast<size_t>(i);
      assert_true(values[place] > 0);
      matrix[static_cast<size_t>(row)][static_cast<size_t>(columns[place])] += static_cast<double>(values[place]);
    }
  }
  return matrix;
}

inline double sum(const Matrix& matrix) {
  double total = 0;
  for (const auto& row : matrix) {
    for (const double value : row) total += value;
  }
  return total;
}

inline void assert_same(const Matrix& a, const Matrix& b) {
  assert_true(a == b);
}

inline void fail_with(const std::string& reason) {
  print_error("%s\n", reason.c_str());
  _fail(__FILE__, __LINE__);
}

/// The call throws an Error with this status whose message contains all of the pieces.
template <class Call>
void assert_refused(vtemper_status status, const std::vector<std::string>& pieces, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    const std::string text = error.what();
    if (error.status() != status) {
      fail_with(
          message("status ", static_cast<int>(error.status()), " instead of ", static_cast<int>(status), ": ", text));
    }
    for (const std::string& piece : pieces) {
      if (text.find(piece) == text.npos) fail_with(message("'", piece, "' is not in: ", text));
    }
    return;
  }
  fail_with(message("nothing was refused where '", pieces.empty() ? std::string() : pieces[0], "' was expected"));
}

/// A folder that is removed with its files at the end.
class Folder {
 public:
  Folder() {
    const char* parent = std::getenv("TMPDIR");
    path_ = std::string(parent != nullptr ? parent : "/tmp") + "/vtemper_data_XXXXXX";
    assert_non_null(mkdtemp(path_.data()));
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    for (const std::string& file : files_) unlink(file.c_str());
    rmdir(path_.c_str());
  }

  /// The path of a file of this name, which is removed at the end.
  std::string path(const std::string& name) {
    files_.push_back(path_ + "/" + name);
    return files_.back();
  }
  std::string write(const std::string& text, const std::string& name = "file") {
    const std::string file = path(name);
    std::FILE* stream = std::fopen(file.c_str(), "wb");
    assert_non_null(stream);
    assert_int_equal(std::fwrite(text.data(), 1, text.size(), stream), text.size());
    assert_int_equal(std::fclose(stream), 0);
    return file;
  }
  std::string write_compressed(const std::string& text, const std::string& name = "file") {
    const std::string file = path(name);
    gzFile stream = gzopen(file.c_str(), "wb6");
    assert_non_null(stream);
    if (!text.empty()) {
      assert_int_equal(gzwrite(stream, text.data(), static_cast<unsigned>(text.size())),
                       static_cast<int>(text.size()));
    }
    assert_int_equal(gzclose(stream), Z_OK);
    return file;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<std::string> files_;
};

inline std::string contents(const std::string& path) {
  std::FILE* stream = std::fopen(path.c_str(), "rb");
  assert_non_null(stream);
  std::string text;
  char part[4096];
  for (size_t read = 0; (read = std::fread(part, 1, sizeof part, stream)) > 0;) text.append(part, read);
  std::fclose(stream);
  return text;
}

}  // namespace vtemper::test
