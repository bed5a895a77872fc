#include "csv_records.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "failure.h"

namespace {

enum class Outcome { record, end, unclosed, after_quote };

/// Reads one record from `get`, which returns bytes, and -1 at the end.
template <class Get>
Outcome parse_record(const Get& get, char separator, std::vector<std::string>& fields) {
  fields.clear();
  int byte = get();
  while (byte == '\n' || byte == '\r') byte = get();
  if (byte < 0) return Outcome::end;
  for (;;) {
    std::string field;
    if (byte == '"') {
      for (byte = get();; byte = get()) {
        if (byte < 0) return Outcome::unclosed;
        if (byte == '"') {
          byte = get();
          if (byte != '"') break;
        }
        field.push_back(static_cast<char>(byte));
        if (field.size() > max_document_bytes) return Outcome::unclosed;
      }
      if (byte != separator && byte != '\n' && byte != '\r' && byte >= 0) return Outcome::after_quote;
    } else {
      for (; byte != separator && byte != '\n' && byte != '\r' && byte >= 0; byte = get()) {
        field.push_back(static_cast<char>(byte));
        if (field.size() > max_document_bytes) return Outcome::unclosed;
      }
    }
    fields.push_back(std::move(field));
    if (byte != separator) return Outcome::record;
    byte = get();
  }
}

/// A byte reader over a text.
struct Bytes {
  std::string_view text;
  size_t position = 0;
  int get() { return position < text.size() ? static_cast<unsigned char>(text[position++]) : -1; }
};

}  // namespace

int64_t read_record(TextFile& file, char separator, std::vector<std::string>& fields) {
  file.skip_line_breaks();
  const int64_t line = file.line_number();
  const auto refuse = [&](const char* reason) {
    fail("%s, the record that begins at line %lld: %s", file.name().c_str(), static_cast<long long>(line), reason);
  };
  switch (parse_record([&] { return file.get(); }, separator, fields)) {
    case Outcome::record:
      return line;
    case Outcome::end:
      return 0;
    case Outcome::unclosed:
      refuse("a quoted field does not end");
      break;
    case Outcome::after_quote:
      refuse("a quoted field continues after its closing quote");
      break;
  }
  return 0;
}

std::vector<std::string> first_record(std::string_view text, char separator) {
  Bytes bytes{text};
  std::vector<std::string> fields;
  if (parse_record([&] { return bytes.get(); }, separator, fields) != Outcome::record) fields.clear();
  return fields;
}

char separator_of_table(std::string_view text) {
  constexpr int records_tried = 5;
  constexpr size_t max_name = 40;
  for (const char separator : separators) {
    Bytes bytes{text};
    std::vector<std::string> header, fields;
    const auto next = [&] { return bytes.get(); };
    if (parse_record(next, separator, header) != Outcome::record || header.size() < 2) continue;
    // Column names are short, distinct and mostly single words, unlike the first line of running text.
    const auto is_name = [&](const std::string& name) {
      const auto in_name = [](unsigned char letter) {
        return std::isalnum(letter) != 0 ||
               std::string_view(" _-.").find(static_cast<char>(letter)) != std::string_view::npos;
      };
      return !name.empty() && name.size() <= max_name && std::count(name.begin(), name.end(), ' ') <= 1 &&
             name.front() != ' ' && name.back() != '.' && std::all_of(name.begin(), name.end(), in_name);
    };
    if (!std::all_of(header.begin(), header.end(), is_name)) continue;
    if (std::set<std::string>(header.begin(), header.end()).size() != header.size()) continue;
    int records = 0;
    bool even = true;
    while (even && records < records_tried) {
      const Outcome outcome = parse_record(next, separator, fields);
      if (outcome == Outcome::end || bytes.position >= text.size()) break;  // the last record may be truncated
      even = outcome == Outcome::record && fields.size() == header.size();
      ++records;
    }
    if (even && (records > 0 || !fields.empty())) return separator;
  }
  return 0;
}
