#include "data/readers/csv_line.h"

#include <algorithm>

#include "data/readers/formats.h"
#include "support/error.h"

namespace vtemper {
namespace {

constexpr size_t longest_field = 65536;

/// Position after the quoted field that begins at `begin` of the text; the end of the text if it is not closed.
size_t after_quotes(std::string_view text, size_t begin) {
  for (size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] != '"') continue;
    if (i + 1 == text.size() || text[i + 1] != '"') return i + 1;
    ++i;
  }
  return text.size();
}

bool are_numbers(std::string_view line, char separator) {
  const std::vector<std::string_view> fields = csv_fields(line, separator).fields;
  return std::all_of(fields.begin(), fields.end(),
                     [&](std::string_view field) { return is_number_or_missing(field, separator); });
}

/// Reads the next field without its quotes, up to a separator or the end of the line. True if it has quotes.
bool read_field(Scanner& scanner, char separator, std::string& field) {
  field.clear();
  const bool is_quoted = scanner.take('"');
  for (int next = scanner.peek(); next >= 0; next = scanner.peek()) {
    if (!is_quoted && (next == separator || next == '\n')) break;
    scanner.skip_character();
    // A quote ends the field; a doubled quote is an escaped one.
    if (is_quoted && next == '"' && !scanner.take('"')) return true;
    field += static_cast<char>(next);
    if (field.size() > longest_field) {
      scanner.refuse(VTEMPER_ERROR_FORMAT,
                     message("a field has more than ", static_cast<int64_t>(longest_field), " characters"));
    }
  }
  if (is_quoted) scanner.refuse(VTEMPER_ERROR_FORMAT, "a field's quotes are not closed");
  if (!field.empty() && field.back() == '\r') field.pop_back();
  if (field.find('\r') != field.npos) scanner.refuse(VTEMPER_ERROR_FORMAT, carriage_return_in_line);
  return false;
}

/// Skips blank lines; true at the end of the file. Tabs that separate fields are content.
bool skip_blank_lines(Scanner& scanner, char separator) {
  if (separator != '\t') return scanner.skip_empty_lines();
  for (int next = scanner.peek(); next >= 0; next = scanner.peek()) {
    if (next != ' ' && next != '\r' && next != '\n') return false;
    scanner.skip_character();
  }
  return true;
}

/// Whether commas in a number may separate thousands: 1,234 but neither 0,123 nor 12,5.
bool may_separate_thousands(std::string_view field) {
  if (!field.empty() && (field[0] == '+' || field[0] == '-')) field.remove_prefix(1);
  const size_t comma = field.find(',');
  return comma >= 1 && comma <= 3 && field[0] != '0' && field.size() == comma + 4 &&
         std::all_of(field.begin() + static_cast<int64_t>(comma) + 1, field.end(), is_digit);
}

/// The first line with content, without blanks around it, and which separators it has outside of quotes.
struct FirstLine {
  std::string_view text;
  bool has_comma = false, has_semicolon = false, has_tab = false;

  explicit FirstLine(std::string_view head) {
    const size_t begin = std::min(head.find_first_not_of(" \t\r\n"), head.size());
    text = head.substr(begin);
    bool begins_field = true, after_tab = false;
    size_t next = 0, size = 0;
    while (next < text.size() && text[next] != '\n') {
      const char c = text[next];
      next = begins_field && c == '"' ? after_quotes(text, next) : next + 1;
      begins_field = c == ',' || c == ';' || c == '\t';
      if (c == '\t') after_tab = true;
      if (c == ' ' || c == '\t' || c == '\r') continue;
      has_comma = has_comma || c == ',';
      has_semicolon = has_semicolon || c == ';';
      has_tab = has_tab || after_tab;  // tabs at the end of the line are blanks
      size = next;
    }
    text = text.substr(0, size);
    // A tab before the only name of a table with names of rows; before a number it is a blank.
    if (begin > 0 && head[begin - 1] == '\t' && !are_numbers(text, '\t')) has_tab = true;
  }
};

}  // namespace

char csv_separator(std::string_view head) {
  const FirstLine line(head);
  if (line.has_comma && !are_numbers(line.text, ',')) {
    if (line.has_semicolon && are_numbers(line.text, ';')) return ';';
    if (line.has_tab && are_numbers(line.text, '\t')) return '\t';
  }
  return line.has_comma ? ',' : line.has_semicolon ? ';' : line.has_tab ? '\t' : ',';
}

CsvFields csv_fields(std::string_view line, char separator) {
  CsvFields result;
  for (bool more = true; more;) {
    const bool is_quoted = !line.empty() && line[0] == '"';
    const size_t end = std::min(line.find(separator, is_quoted ? after_quotes(line, 0) : 0), line.size());
    std::string_view field = trimmed(line.substr(0, end));
    if (is_quoted && field.size() >= 2 && field.back() == '"') field = trimmed(field.substr(1, field.size() - 2));
    if (result.fields.empty()) result.first_is_quoted = is_quoted;
    result.fields.push_back(field);
    more = end < line.size();
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return result;
}

std::optional<double> csv_number(std::string_view field, char separator) {
  const size_t comma = separator == ',' ? field.npos : field.find(',');
  if (comma == field.npos) return parse_real(field);
  if (field.find('.') != field.npos || comma + 1 == field.size() || !is_digit(field[comma + 1])) return std::nullopt;
  std::string number(field);
  number[comma] = '.';
  return parse_real(number);
}

bool is_number_or_missing(std::string_view field, char separator) {
  return field.empty() || field == "NA" || csv_number(field, separator).has_value();
}

bool CsvLine::read(Scanner& scanner) {
  const int64_t begin = scanner.line();
  const bool at_end = skip_blank_lines(scanner, separator);
  number = scanner.line();
  blank_before = number - begin;
  if (at_end) return false;
  size_t fields_read = 0;
  do {
    if (fields_read == fields.size()) fields.emplace_back();
    const bool is_quoted = read_field(scanner, separator, fields[fields_read]);
    if (fields_read++ == 0) first_is_quoted = is_quoted;
  } while (scanner.take(separator));
  fields.resize(fields_read);
  // at_line_end skips blanks, so another quoted field may come after them.
  if (scanner.peek() == ' ' && !scanner.at_line_end() && scanner.peek() == '"') {
    scanner.refuse(VTEMPER_ERROR_FORMAT, "fields are separated by commas, semicolons or tabs, not by blanks");
  }
  scanner.end_line();
  return true;
}

void CsvDecimals::compare(const Scanner& scanner, const CsvLine& line, std::string_view field) {
  const size_t found = field.find_first_of(".,");
  if (found == field.npos) return;
  if (sign_ == 0) {
    sign_ = field[found];
    first_ = field;
    first_line_ = line.number;
  }
  if (field[found] != sign_) {
    scanner.refuse_at(
        line.number, VTEMPER_ERROR_FORMAT,
        message("decimals begin with a ", sign_ == ',' ? "point in " : "comma in ", quoted(field), " and with a ",
                sign_ == ',' ? "comma in " : "point in ", quoted(first_), "; one of them may separate thousands"));
  }
  is_proven_ = is_proven_ || sign_ == '.' || !may_separate_thousands(field);
}

void CsvDecimals::end(const Scanner& scanner) const {
  if (sign_ != ',' || is_proven_) return;
  scanner.refuse_at(
      first_line_, VTEMPER_ERROR_FORMAT,
      message("the comma in ", quoted(first_), " may separate thousands, as in all numbers with a comma; ",
              "write decimals with a point, and thousands without a separator"));
}

}  // namespace vtemper
