#pragma once
// The lines of a table of separated values, and its notation of numbers.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/readers/scanner.h"

namespace vtemper {

/// The separator of a table that begins with `head`: on its first line with content, outside of quotes, a comma, else
/// a semicolon, else a tab; a comma if there is none of them. But semicolons or tabs if only they make numbers of the
/// whole line, as in "1,5;2,5".
char csv_separator(std::string_view head);

/// The fields of a line, without their quotes; doubled quotes stay doubled.
struct CsvFields {
  std::vector<std::string_view> fields;
  bool first_is_quoted = false;
};
CsvFields csv_fields(std::string_view line, char separator);

/// The number that a field holds, whose decimals begin with a point, or with a comma where that does not separate.
/// Thousands are not separated.
std::optional<double> csv_number(std::string_view field, char separator);

/// Whether a field is a number, or missing (empty, NA, NaN).
bool is_number_or_missing(std::string_view field, char separator);

/// One line, as the reader reads it.
struct CsvLine {
  explicit CsvLine(char separator_of_fields) : separator(separator_of_fields) {}

  char separator;
  std::vector<std::string> fields;
  bool first_is_quoted = false;
  int64_t number = 1;
  int64_t blank_before =
      0;  ///< blank lines between this one and the last; at the end of the file those after the last

  int64_t count() const { return static_cast<int64_t>(fields.size()); }
  /// False at the end of the file.
  bool read(Scanner& scanner);
};

/// Watches the numbers of a table for its sign of decimals. With semicolons or tabs it may be a comma, but that is
/// also how others separate thousands; so the sign is one for the whole file, and a comma counts as one of decimals
/// only if one of the numbers cannot have separated thousands.
class CsvDecimals {
 public:
  explicit CsvDecimals(char separator) : is_needed_(separator != ',') {}
  /// A field that is a number. Error(FORMAT) if its sign is not that of the fields before.
  void see(const Scanner& scanner, const CsvLine& line, std::string_view field) {
    if (is_needed_) compare(scanner, line, field);
  }
  /// After the last row. Error(FORMAT) if commas may separate thousands.
  void end(const Scanner& scanner) const;

 private:
  void compare(const Scanner& scanner, const CsvLine& line, std::string_view field);

  bool is_needed_;
  char sign_ = 0;           ///< 0: none so far
  bool is_proven_ = false;  ///< a comma cannot separate thousands
  std::string first_;       ///< the first field with this sign
  int64_t first_line_ = 0;
};

}  // namespace vtemper
