// Matrix Market exchange format: coordinate matrices are counts, documents x words, indices from 1, where those of a
// pattern are 1; arrays, which list all values by columns, are dense rows.

#include "data/readers/entry_list.h"
#include "data/readers/formats.h"
#include "data/readers/raw_numbers.h"

namespace vtemper {
namespace {

/// Reads one word of the first line, which must be one of `readable`. `advice` follows what these are in messages.
std::string read_property(Scanner& scanner, const char* what, std::initializer_list<const char*> readable,
                          const char* advice = "") {
  std::string word = lower_case(scanner.word());
  std::string list;
  for (const char* candidate : readable) {
    if (word == candidate) return word;
    list += (list.empty() ? "" : ", ") + std::string(candidate);
  }
  scanner.refuse(VTEMPER_ERROR_FORMAT, message("the matrix's ", what, " is '", word, "'; readable: ", list, advice));
}

void read_array(Scanner& scanner, DataBuilder& data, int64_t rows, int64_t columns) {
  if (rows < 0 || columns < 1) {
    scanner.refuse(VTEMPER_ERROR_DATA,
                   message("the header declares ", counted(rows, "row"), " and ", counted(columns, "column")));
  }
  scanner.end_line();
  const int64_t count = size_product(scanner, rows, columns);
  const auto values = std::make_shared<Buffer<double>>();
  for (; !scanner.skip_empty_lines(); scanner.end_line()) {
    if (values->size() == count) {
      scanner.refuse(VTEMPER_ERROR_FORMAT,
                     message("the header declares ", counted(count, "value"), ", but here is one more"));
    }
    values->push(scanner.real("a value"));
  }
  if (values->size() < count) {
    scanner.refuse(VTEMPER_ERROR_FORMAT, message("the header declares ", counted(count, "value"),
                                                 ", but the file ends after ", values->size()));
  }
  take_columns(scanner, values, rows, columns, data);
}

}  // namespace

void read_matrix_market(Scanner& scanner, DataBuilder& data) {
  if (lower_case(scanner.word()) != "%%matrixmarket") {
    scanner.refuse(VTEMPER_ERROR_FORMAT, "the first line does not begin with %%MatrixMarket");
  }
  read_property(scanner, "object", {"matrix"});
  const bool is_array = read_property(scanner, "layout", {"coordinate", "array"}) == "array";
  const bool is_pattern = read_property(scanner, "field", {"real", "double", "integer", "pattern"}) == "pattern";
  if (is_array && is_pattern)
    scanner.refuse(VTEMPER_ERROR_FORMAT, "a pattern has no values, so it cannot be an array");
  read_property(scanner, "symmetry", {"general"},
                ", which lists all entries (scipy.io.mmwrite does so with symmetry=\"general\")");
  scanner.end_line();
  while (!scanner.skip_empty_lines() && scanner.take('%')) scanner.skip_line();

  const int64_t rows = scanner.integer("the number of rows");
  const int64_t columns = scanner.integer("the number of columns");
  if (is_array) return read_array(scanner, data, rows, columns);
  const int64_t announced = scanner.integer("the number of entries");
  EntryList entries(scanner, data, rows, columns, announced);
  scanner.end_line();
  while (!scanner.skip_empty_lines()) {
    const int64_t row = scanner.integer("a row's number");
    const int64_t column = scanner.integer("a column's number");
    entries.add(row, column, is_pattern ? 1 : scanner.real("a count"));
    scanner.end_line();
  }
  entries.finish();
}

}  // namespace vtemper
