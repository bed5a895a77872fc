#pragma once
// The file formats, one source file each. A reader consumes the scanner and adds the rows to the builder. It throws
// Error(FORMAT) for syntax errors and Error(DATA) for invalid values; messages name line, row and column.

#include <optional>
#include <string_view>

#include "data/data_builder.h"
#include "data/readers/scanner.h"
#include "support/text.h"

namespace vtemper {

void read_docword(Scanner& scanner, DataBuilder& data);
void read_lda_c(Scanner& scanner, DataBuilder& data);
void read_svmlight(Scanner& scanner, DataBuilder& data);
void read_svmlight_from_0(Scanner& scanner, DataBuilder& data);
void read_svmlight_from_1(Scanner& scanner, DataBuilder& data);
void read_matrix_market(Scanner& scanner, DataBuilder& data);
void read_sequences(Scanner& scanner, DataBuilder& data);
void read_labelled_sequences(Scanner& scanner, DataBuilder& data);
void read_word_sequences(Scanner& scanner, DataBuilder& data);
void read_csv(Scanner& scanner, DataBuilder& data);
void read_npy(Scanner& scanner, DataBuilder& data);
void read_idx(Scanner& scanner, DataBuilder& data);

/// A file format; files may be gzip-compressed.
struct FileFormat {
  const char* name;
  void (*read)(Scanner& scanner, DataBuilder& data);
  bool rows_are_lines = false;  ///< parts of a file can be read separately: the reader calls begin_rows
};

/// The name of the format that the extension of a path stands for (.csv, .ldac, .svm, ...; also before .gz); "" for
/// other paths.
std::string_view format_of_extension(std::string_view path);
/// Detects the format from the beginning of a file. Where several are possible the extension of the path decides;
/// NULL if it stands for none of them, or if no format is possible. Sequences are never detected, because a label
/// looks like a symbol. `is_all`: the head is the whole file.
const FileFormat* recognise(std::string_view head, bool is_all, std::string_view path);
/// The format with this name; NULL if there is none.
const FileFormat* file_format(std::string_view name);

/// The reason why a line with a carriage return inside is refused.
constexpr const char* carriage_return_in_line =
    "a carriage return (CR) inside a line; lines that end in CR alone have to be converted to LF, for instance by "
    "tr '\\r' '\\n'";

/// Error(DATA) if the value is not a valid count.
inline void require_count(const Scanner& scanner, int64_t row, int64_t column, double count) {
  if (count >= 0 && count <= __DBL_MAX__) return;
  scanner.refuse(VTEMPER_ERROR_DATA, message("row ", row, ", column ", column, " holds ", count,
                                             "; counts must be finite and not negative"));
}

/// Error(DATA) if the column (from 0) is out of range.
inline void require_column_number(const Scanner& scanner, int64_t row, int64_t column) {
  if (column >= 0 && column < max_columns) return;
  scanner.refuse(VTEMPER_ERROR_DATA, message("row ", row, " has an entry in column ", column,
                                             "; columns lie between 0 and ", max_columns - 1));
}

}  // namespace vtemper
