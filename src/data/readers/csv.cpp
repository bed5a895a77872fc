// Comma-separated values: one row per line; empty fields, NA and NaN are missing values. If a field of the first line
// is neither a number nor missing, that line has the column names. Fields may be quoted (RFC 4180).

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
}

/// Reads the fields of a line; false at the end of the file. Empty lines are skipped.
bool read_line(Scanner& scanner, std::vector<std::string>& fields) {
  if (scanner.skip_empty_lines()) return false;
  size_t count = 0;
  do {
    if (count == fields.size()) fields.emplace_back();
    read_field(scanner, fields[count++]);
  } while (scanner.take(','));
  fields.resize(count);
  scanner.end_line();
  return true;
}

bool is_header(const std::vector<std::string>& fields) {
  for (const std::string& field : fields) {
    // A number out of range is a fault of the first row, not a name.
    if (!is_number_or_missing(trimmed(field)) && !is_written_as_real(field)) return true;
  }
  return false;
}

/// The expected content of a field that is not a number. If it contains another separator, it is a line or part of
/// one.
const char* expectation(std::string_view field) {
  return field.find_first_of("; \t") == field.npos
             ? "missing values are empty, NA or NaN"
             : "fields are separated by commas, and decimals begin with a point";
}

}  // namespace

bool is_number_or_missing(std::string_view field) {
  return field.empty() || field == "NA" || parse_real(field).has_value();
}

void read_csv(Scanner& scanner, DataBuilder& data) {
  std::vector<std::string> fields;
  int64_t line = scanner.line();
  if (!read_line(scanner, fields)) throw Error(VTEMPER_ERROR_FORMAT, message(scanner.path(), " has no lines"));
  const int64_t columns = static_cast<int64_t>(fields.size());
  bool has_row = true;
  const bool has_names = is_header(fields);
  if (has_names) {
    Names names;
    for (const std::string& field : fields) names.emplace_back(trimmed(field));
    data.set_names(std::move(names), scanner.path());
  }
  if (scanner.is_part()) scanner.begin_rows(has_names ? scanner.position() : 0);
  if (has_names || scanner.is_part()) {
    line = scanner.line();
    has_row = read_line(scanner, fields);
  }
  DenseBuilder<double>& values = data.dense<double>(columns, scanner.path());
  int64_t rows = 0;
  for (; has_row; ++rows) {
    if (static_cast<int64_t>(fields.size()) != columns) {
      scanner.refuse_at(line, VTEMPER_ERROR_FORMAT,
                        message("row ", rows, " has ", static_cast<int64_t>(fields.size()),
                                fields.size() == 1 ? " field" : " fields", ", but the first line has ", columns));
    }
    for (int64_t column = 0; column < columns; ++column) {
      const std::string_view field = trimmed(fields[static_cast<size_t>(column)]);
      if (!is_number_or_missing(field)) {
        scanner.refuse_at(line, VTEMPER_ERROR_FORMAT,
                          message("row ", rows, ", column ", column, " holds ", quoted(field),
                                  ", which is not a number; ", expectation(field)));
      }
      values.push(parse_real(field).value_or(std::nan("")));
    }
    line = scanner.line();
    has_row = read_line(scanner, fields);
  }
  data.end(rows, columns);
}

}  // namespace vtemper
