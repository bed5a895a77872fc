// LDA-C (Blei): one document per line, the number of its distinct words followed by word:count pairs, words from 0.

#include <algorithm>

#include "data/readers/formats.h"

namespace vtemper {

void read_lda_c(Scanner& scanner, DataBuilder& data) {
  CountsBuilder& builder = data.counts();
  int64_t columns = 0;
  scanner.begin_rows(0);
  for (int64_t row = 0; !scanner.at_end(); ++row) {
    if (scanner.at_line_end()) {
      const int64_t line = scanner.line();
      if (scanner.skip_empty_lines()) break;
      scanner.refuse_at(line, VTEMPER_ERROR_FORMAT, "the line is empty; a document without words is written as 0");
    }
    const int64_t announced = scanner.integer("a document's number of distinct words");
    while (!scanner.at_line_end()) {
      const int64_t column = scanner.integer("a word's number");
      scanner.expect(':', "a word's number");
      const double count = scanner.real("a count");
      require_column_number(scanner, row, column);
      require_count(scanner, row, column, count);
      builder.add(static_cast<int32_t>(column), count);
      columns = std::max(columns, column + 1);
    }
    const int64_t found = builder.entries() - builder.row_begin();
    if (found != announced) {
      scanner.refuse(VTEMPER_ERROR_FORMAT,
                     message("row ", row, " declares ", counted(announced, "word"), " but has ", found));
    }
    const int32_t repeated = builder.repeated_column();
    if (repeated >= 0) {
      scanner.refuse(VTEMPER_ERROR_DATA,
                     message("row ", row, ", column ", static_cast<int64_t>(repeated), " is given twice"));
    }
    builder.end_row();
    scanner.end_line();
  }
  data.end(builder.rows(), columns);
}

}  // namespace vtemper
