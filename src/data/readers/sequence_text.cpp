// Sequences as text: one sequence per line, symbols as numbers from 0 separated by spaces. In the labelled form the
// first word of a line is a label, which is ignored. The largest symbol determines the size of the alphabet.

#include <algorithm>

#include "data/readers/formats.h"
#include "support/error.h"

namespace vtemper {
namespace {

void read_lines(Scanner& scanner, bool has_labels, DataBuilder& data) {
  SequencesBuilder& builder = data.sequences();
  int64_t columns = 0;
  scanner.begin_rows(0);
  while (!scanner.at_end()) {
    if (scanner.at_line_end()) {
      const int64_t line = scanner.line();
      if (scanner.skip_empty_lines()) break;
      scanner.refuse_at(line, VTEMPER_ERROR_FORMAT,
                        has_labels ? "the line is empty; it should begin with a label"
                                   : "the line is empty; a sequence has at least one symbol");
    }
    if (has_labels) scanner.skip_word();
    for (int64_t position = 0; !scanner.at_line_end(); ++position) {
      const int64_t symbol = scanner.integer("a symbol's number");
      if (symbol < 0 || symbol >= max_columns) {
        scanner.refuse(VTEMPER_ERROR_DATA, message("row ", builder.rows(), ", position ", position, " is the symbol ",
                                                   symbol, "; symbols lie between 0 and ", max_columns - 1));
      }
      builder.add(static_cast<int32_t>(symbol));
      columns = std::max(columns, symbol + 1);
    }
    builder.end_row();
    scanner.end_line();
  }
  data.end(builder.rows(), columns);
}

}  // namespace

void read_sequences(Scanner& scanner, DataBuilder& data) {
  read_lines(scanner, false, data);
}

void read_labelled_sequences(Scanner& scanner, DataBuilder& data) {
  read_lines(scanner, true, data);
}

}  // namespace vtemper
