#pragma once
// The formats of files, one file each. A reader takes the whole scanner and puts its rows in the builder, or refuses
// the file: FORMAT where it is not written in the format, DATA where what it says is impossible (line, row and column
// are named).

#include <optional>
#include <string_view>

#include "data/data_builder.h"
#include "data/readers/scanner.h"
#include "support/text.h"

namespace vtemper {

void read_docword(Scanner& scanner, DataBuilder& data);
void read_lda_c(Scanner& scanner, DataBuilder& data);
void read_svmlight(Scanner& scanner, DataBuilder& data);
void read_matrix_market(Scanner& scanner, DataBuilder& data);
void read_sequences(Scanner& scanner, DataBuilder& data);
void read_labelled_sequences(Scanner& scanner, DataBuilder& data);
void read_csv(Scanner& scanner, DataBuilder& data);
void read_npy(Scanner& scanner, DataBuilder& data);
void read_idx(Scanner& scanner, DataBuilder& data);

/// One way to write data, plain or gzip-compressed.
struct FileFormat {
  const char* name;
  void (*read)(Scanner& scanner, DataBuilder& data);
  bool rows_are_lines = false;  ///< parts of a file can be read apart: the reader calls begin_rows
};

/// The format that the beginning of a file is written in; nothing where more than one is possible or none.
/// Sequences are never recognised: nothing tells a label from a symbol.
/// `is_all`: the file ends with the head.
const FileFormat* recognise(std::string_view head, bool is_all);
/// NULL where there is none of this name.
const FileFormat* file_format(std::string_view name);

/// A field of comma-separated values that is a number or stands for a missing one (empty, NA, NaN).
bool is_number_or_missing(std::string_view field);

/// Refuses what is no count.
inline void require_count(const Scanner& scanner, int64_t row, int64_t column, double count) {
  if (count >= 0 && count <= __DBL_MAX__) return;
  scanner.refuse(VTEMPER_ERROR_DATA, sentence("row ", row, ", column ", column, " holds ", count,
                                              "; counts must be finite and not negative"));
}

/// Refuses a column (from 0) that has no number of its own.
inline void require_column_number(const Scanner& scanner, int64_t row, int64_t column) {
  if (column >= 0 && column < most_columns) return;
  scanner.refuse(VTEMPER_ERROR_DATA, sentence("row ", row, " has an entry in column ", column,
                                              "; columns lie between 0 and ", most_columns - 1));
}

}  // namespace vtemper
