// Matrix Market exchange format: coordinate matrices, documents x words, indices from 1. The counts of a pattern
// are 1.

#include <algorithm>

#include "data/readers/entry_list.h"
#include "data/readers/formats.h"

namespace vtemper {
namespace {

std::string lower_case_word(Scanner& scanner) {
  std::string word(scanner.word());
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return word;
}

/// Reads one word of the first line, which must be one of `readable`.
std::string read_property(Scanner& scanner, const char* what, std::initializer_list<const char*> readable) {
  std::string word = lower_case_word(scanner);
  std::string list;
  for (const char* candidate : readable) {
    if (word == candidate) return word;
    list += (list.empty() ? "" : ", ") + std::string(candidate);
  }
  scanner.refuse(VTEMPER_ERROR_FORMAT,
                 message("the matrix's ", what, " is '", word, "'; readable as counts: ", list));
}

}  // namespace

void read_matrix_market(Scanner& scanner, DataBuilder& data) {
  if (lower_case_word(scanner) != "%%matrixmarket") {
    scanner.refuse(VTEMPER_ERROR_FORMAT, "the first line does not begin with %%MatrixMarket");
  }
  read_property(scanner, "object", {"matrix"});
  read_property(scanner, "layout", {"coordinate"});
  const bool is_pattern = read_property(scanner, "field", {"real", "double", "integer", "pattern"}) == "pattern";
  read_property(scanner, "symmetry", {"general"});
  scanner.end_line();
  while (!scanner.skip_empty_lines() && scanner.take('%')) scanner.skip_line();

  const int64_t rows = scanner.integer("the number of rows");
  const int64_t columns = scanner.integer("the number of columns");
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
