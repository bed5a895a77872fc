// Comma-separated values: one row per line; empty fields, NA and NaN are missing values. If a field of the first line
// is neither a number nor missing, that line has the column names. Fields may be quoted (RFC 4180). Lines end in LF
// or CR LF. Blank lines are skipped, but with a single column a blank line after the names is an empty field.

#include <algorithm>

#include "data/readers/formats.h"
#include "support/error.h"

namespace vtemper {
namespace {

constexpr size_t longest_field = 65536;

/// Reads the next field without its quotes, up to a comma or the end of the line.
void read_field(Scanner& scanner, std::string& field) {
  field.clear();
  const bool is_quoted = scanner.take('"');
  for (int next = scanner.peek(); next >= 0; next = scanner.peek()) {
    if (!is_quoted && (next == ',' || next == '\n')) break;
    scanner.skip_character();
    // A quote ends the field; a doubled quote is an escaped one.
    if (is_quoted && next == '"' && !scanner.take('"')) return;
    field += static_cast<char>(next);
    if (field.size() > longest_field) {
      scanner.refuse(VTEMPER_ERROR_FORMAT,
                     message("a field has more than ", static_cast<int64_t>(longest_field), " characters"));
    }
  }
  if (is_quoted) scanner.refuse(VTEMPER_ERROR_FORMAT, "a field's quotes are not closed");
  if (!field.empty() && field.back() == '\r') field.pop_back();
  if (!is_quoted && field.find('\r') != field.npos) scanner.refuse(VTEMPER_ERROR_FORMAT, carriage_return_in_line);
}

struct CsvLine {
  std::vector<std::string> fields;
  int64_t number = 1;
  int64_t blank_before =
      0;  ///< blank lines between this one and the last; at the end of the file those after the last

  /// False at the end of the file.
  bool read(Scanner& scanner) {
    const int64_t begin = scanner.line();
    const bool at_end = scanner.skip_empty_lines();
    number = scanner.line();
    blank_before = number - begin;
    if (at_end) return false;
    size_t count = 0;
    do {
      if (count == fields.size()) fields.emplace_back();
      read_field(scanner, fields[count++]);
    } while (scanner.take(','));
    fields.resize(count);
    scanner.end_line();
    return true;
  }
};

/// Not the name of a column: what other programs write for a missing value, or signs and digits without a letter.
bool is_no_name(std::string_view field) {
  constexpr std::string_view words[] = {"n/a", "#n/a", "<na>", "null", "none", "nil"};
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::string lower(field);
  std::transform(lower.begin(), lower.end(), lower.begin(), small);
  if (std::find(std::begin(words), std::end(words), lower) != std::end(words)) return true;
  return std::none_of(lower.begin(), lower.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c & 0x80) != 0; });
}

/// The expected content of a field that is not a number. If it contains another separator, it is a line or part of
/// one.
const char* expectation(std::string_view field) {
  return field.find_first_of("; \t") == field.npos
             ? "missing values are empty, NA or NaN"
             : "fields are separated by commas, and decimals begin with a point";
}

/// Whether the first line has the names of the columns. Error(FORMAT) if it could as well be a row with marks for
/// missing values or a notation of numbers that are not known here: it would be lost.
bool has_column_names(const Scanner& scanner, const CsvLine& line) {
  const std::string* mark = nullptr;
  for (const std::string& field : line.fields) {
    const std::string_view text = trimmed(field);
    // A number out of range is a fault of the first row, not a name.
    if (is_number_or_missing(text) || is_written_as_real(field)) continue;
    if (!is_no_name(text)) return true;
    if (mark == nullptr) mark = &field;
  }
  if (mark == nullptr) return false;
  const std::string_view text = trimmed(*mark);
  const bool has_digit = text.find_first_of("0123456789") != text.npos;
  const char* const reason =
      !has_digit ? "missing values are empty, NA or NaN"
      : text.find_first_of("; \t") != text.npos
          ? expectation(text)
          : "decimals begin with a point, thousands are not separated, and a name has a letter";
  scanner.refuse_at(line.number, VTEMPER_ERROR_FORMAT,
                    message("the first line has ", quoted(text), " and no name of a column; ", reason));
}

/// What a line with too many or too few fields shows if its fields are separated by another sign than a comma.
std::string other_separator(const CsvLine& line) {
  for (const std::string& field : line.fields) {
    const std::string_view text = trimmed(field);
    const size_t found = text.find_first_of(";\t");
    if (found == text.npos) continue;
    return message("; fields seem to be separated by ", text[found] == ';' ? "';'" : "tabs",
                   line.fields.size() > 1 ? ", and decimals to begin with a comma" : "",
                   ", but must be separated by commas, and decimals begin with a point");
  }
  return "";
}

void push_row(const Scanner& scanner, const CsvLine& line, int64_t row, int64_t columns,
              DenseBuilder<double>& values) {
  const int64_t count = static_cast<int64_t>(line.fields.size());
  if (count != columns) {
    scanner.refuse_at(line.number, VTEMPER_ERROR_FORMAT,
                      message("row ", row, " has ", count, count == 1 ? " field" : " fields",
                              ", but the first line has ", columns, other_separator(line)));
  }
  for (int64_t column = 0; column < columns; ++column) {
    const std::string_view field = trimmed(line.fields[static_cast<size_t>(column)]);
    if (!is_number_or_missing(field)) {
      scanner.refuse_at(line.number, VTEMPER_ERROR_FORMAT,
                        message("row ", row, ", column ", column, " holds ", quoted(field),
                                ", which is not a number; ", expectation(field)));
    }
    values.push(parse_real(field).value_or(std::nan("")));
  }
}

}  // namespace

bool is_number_or_missing(std::string_view field) {
  return field.empty() || field == "NA" || parse_real(field).has_value();
}

void read_csv(Scanner& scanner, DataBuilder& data) {
  CsvLine line;
  if (!line.read(scanner)) throw Error(VTEMPER_ERROR_FORMAT, message(scanner.path(), " has no lines"));
  const int64_t columns = static_cast<int64_t>(line.fields.size());
  bool has_row = true;
  const bool has_names = has_column_names(scanner, line);
  if (has_names) {
    Names names;
    for (const std::string& field : line.fields) names.emplace_back(trimmed(field));
    data.set_names(std::move(names), scanner.path());
  }
  if (scanner.is_part()) scanner.begin_rows(has_names ? scanner.position() : 0);
  if (has_names || scanner.is_part()) has_row = line.read(scanner);
  DenseBuilder<double>& values = data.dense<double>(columns, scanner.path());
  int64_t rows = 0;
  const auto add_blank_lines = [&] {
    if (columns > 1) return;
    for (int64_t i = 0; i < line.blank_before; ++i) values.push(std::nan(""));
    rows += line.blank_before;
  };
  for (; has_row; has_row = line.read(scanner), ++rows) {
    add_blank_lines();
    push_row(scanner, line, rows, columns, values);
  }
  add_blank_lines();
  data.end(rows, columns);
}

}  // namespace vtemper
