// SVMlight / LIBSVM: one row per line, a label followed by column:value pairs; # begins a comment. Label and qid are
// ignored. Columns are numbered from 0 ("svmlight0") or 1 ("svmlight1"); where the format does not say it, from 1
// unless column 0 occurs. Since the rows of one corpus may differ in that, the note "columns_from" says what was
// used.

#include <algorithm>

#include "data/readers/formats.h"

namespace vtemper {
namespace {

/// Skips numbers separated by commas (several labels).
void skip_label(Scanner& scanner) {
  do {
    scanner.real("a label");
  } while (scanner.take(','));
}

/// "qid:7"
bool skip_query(Scanner& scanner) {
  if (!scanner.take('q')) return false;
  scanner.expect('i', "'q'");
  scanner.expect('d', "'qi'");
  scanner.expect(':', "'qid'");
  scanner.integer("a query's number");
  return true;
}

/// `first_column`: the number of the first column unless a smaller one occurs, which must be at least `least`.
void read_numbered(Scanner& scanner, DataBuilder& data, int64_t first_column, int64_t least) {
  CountsBuilder& builder = data.counts();
  int64_t last_column = 0;
  while (!scanner.skip_empty_lines()) {
    if (scanner.take('#')) {
      scanner.skip_line();
      continue;
    }
    const int64_t row = builder.rows();
    skip_label(scanner);
    while (!scanner.at_line_end() && !scanner.take('#')) {
      if (skip_query(scanner)) continue;
      const int64_t column = scanner.integer("a column's number");
      scanner.expect(':', "a column's number");
      const double count = scanner.real("a count");
      require_column_number(scanner, row, column);
      if (column < least) {
        scanner.refuse(VTEMPER_ERROR_DATA, message("row ", row, " has the column ", column, ", but the columns of ",
                                                   "format svmlight1 are numbered from 1; see svmlight0"));
      }
      require_count(scanner, row, column, count);
      builder.add(static_cast<int32_t>(column), count);
      first_column = std::min(first_column, column);
      last_column = std::max(last_column, column);
    }
    const int32_t repeated = builder.repeated_column();
    if (repeated >= 0) {
      scanner.refuse(VTEMPER_ERROR_DATA,
                     message("row ", row, ": the file's column ", static_cast<int64_t>(repeated), " is given twice"));
    }
    builder.end_row();
    scanner.skip_line();
  }
  const bool is_empty = builder.entries() == 0;
  if (!is_empty) data.set_note("columns_from", number_text(first_column));
  if (!is_empty && first_column > 0) builder.shift_columns(static_cast<int32_t>(first_column));
  data.end(builder.rows(), is_empty ? 0 : last_column + 1 - first_column);
}

}  // namespace

void read_svmlight(Scanner& scanner, DataBuilder& data) {
  read_numbered(scanner, data, 1, 0);
}

void read_svmlight_from_0(Scanner& scanner, DataBuilder& data) {
  read_numbered(scanner, data, 0, 0);
}

void read_svmlight_from_1(Scanner& scanner, DataBuilder& data) {
  read_numbered(scanner, data, 1, 1);
}

}  // namespace vtemper
