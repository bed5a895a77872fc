#include "documents.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "csv_records.h"
#include "document_folder.h"
#include "failure.h"
#include "text_file.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Visit = std::function<void(Document&)>;

std::string joined(const std::vector<std::string>& names) {
  constexpr size_t max_names = 30;
  std::string text;
  for (size_t i = 0; i < names.size() && i < max_names; ++i) text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > max_names) text += ", ...";
  return text;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// ---- Lines ----

void each_line(TextFile& file, const Visit& visit) {
  Document document;
  while (file.line(document.text)) visit(document);
}

// ---- Tables ----

std::optional<size_t> place_of(const std::vector<std::string>& header, const std::string& name) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) return std::nullopt;
  return static_cast<size_t>(found - header.begin());
}

/// The text columns: the one of that name, or several separated by commas; empty if one is missing.
std::vector<size_t> text_columns(const std::vector<std::string>& header, const std::string& names) {
  if (const auto place = place_of(header, names)) return {*place};
  std::vector<size_t> places;
  for (const std::string& name : split_at_commas(names)) {
    const auto place = place_of(header, name);
    if (!place) return {};
    places.push_back(*place);
  }
  return places;
}

/// The separator with which the header contains the text columns; otherwise the one that gives most columns.
char separator_for(std::string_view beginning, const std::string& columns) {
  char best = ',';
  size_t most = 0;
  for (const char separator : separators) {
    const std::vector<std::string> header = first_record(beginning, separator);
    if (!text_columns(header, columns).empty()) return separator;
    if (header.size() > most) {
      most = header.size();
      best = separator;
    }
  }
  return best;
}

void each_record(TextFile& file, const DocumentOptions& options, const Visit& visit) {
  const char separator = separator_for(file.peek(), options.column);
  std::vector<std::string> header, fields;
  if (read_record(file, separator, header) == 0) fail("%s is empty: it has no header", file.name().c_str());
  const auto require_column = [&](const std::string& option, const std::string& name) {
    const auto place = place_of(header, name);
    if (!place) {
      fail_usage("%s has no column \"%s\" (--%s); its columns are %s", file.name().c_str(), name.c_str(),
                 option.c_str(), joined(header).c_str());
    }
    return *place;
  };
  std::vector<size_t> texts = text_columns(header, options.column);
  if (texts.empty()) texts = {require_column("column", options.column)};
  std::optional<size_t> name, date;
  if (!options.id_column.empty()) name = require_column("id-column", options.id_column);
  if (!options.date_column.empty()) date = require_column("date-column", options.date_column);
  Document document;
  for (;;) {
    const int64_t line = read_record(file, separator, fields);
    if (line == 0) return;
    if (fields.size() != header.size()) {
      fail("%s, the record that begins at line %lld: it has %zu fields, the header %zu", file.name().c_str(),
           static_cast<long long>(line), fields.size(), header.size());
    }
    document.text.clear();
    for (const size_t place : texts) document.text += (document.text.empty() ? "" : "\n") + fields[place];
    document.name = name ? fields[*name] : "";
    document.date = date ? fields[*date] : "";
    visit(document);
  }
}

// ---- JSON Lines ----

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

/// The value of a field, or NULL; "a.b" also addresses field b of object a.
const Json* value_of(const Json& object, const std::string& field) {
  const auto found = object.find(field);
  if (found != object.end()) return &*found;
  const size_t dot = field.find('.');
  if (dot == std::string::npos) return nullptr;
  const auto outer = object.find(field.substr(0, dot));
  return outer != object.end() && outer->is_object() ? value_of(*outer, field.substr(dot + 1)) : nullptr;
}

/// Strings unchanged, elements of a list one per line, nothing for null, anything else as JSON.
std::string text_of_value(const Json* value) {
  if (value == nullptr || value->is_null()) return "";
  if (value->is_string()) return *value;
  if (!value->is_array()) return value->dump();
  std::string text;
  for (const Json& item : *value) text += (text.empty() ? "" : "\n") + text_of_value(&item);
  return text;
}

/// Whether objects and lists are nested deeper than in any document; they would be processed recursively.
bool is_too_deep(const std::string& line) {
  constexpr int max_depth = 100;
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else {
      in_string = c == '"';
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      if (depth > max_depth) return true;
    }
  }
  return false;
}

/// The object on a line; discarded if it is not one or too deep. The depth is found before, since a parser with a
/// callback takes time in the square of the number of objects in a list.
Json object_of(const std::string& line) {
  return is_too_deep(line) ? Json(Json::value_t::discarded) : Json::parse(line, nullptr, false);
}

void each_object(TextFile& file, const DocumentOptions& options, const Visit& visit) {
  Document document;
  std::string line;
  std::vector<std::string> keys;
  bool has_field = false, has_name = options.id_column.empty(), has_date = options.date_column.empty();
  int64_t number = 0;
  while (file.line(line)) {
    ++number;
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    const Json object = object_of(line);
    if (!object.is_object()) {
      fail("%s, line %lld: not a JSON object; --field needs one per line", file.name().c_str(),
           static_cast<long long>(number));
    }
    if (keys.empty()) keys = keys_of(object);
    const Json* text = value_of(object, options.field);
    const Json* name = options.id_column.empty() ? nullptr : value_of(object, options.id_column);
    const Json* date = options.date_column.empty() ? nullptr : value_of(object, options.date_column);
    has_field = has_field || text != nullptr;
    has_name = has_name || name != nullptr;
    has_date = has_date || date != nullptr;
    document.text = text_of_value(text);
    document.name = text_of_value(name);
    document.date = text_of_value(date);
    visit(document);
  }
  const auto refuse = [&](const char* option, const std::string& field) {
    fail_usage("%s has no field \"%s\" (--%s); the fields of its first line are %s", file.name().c_str(),
               field.c_str(), option, joined(keys).c_str());
  };
  if (!has_field && number > 0) refuse("field", options.field);
  if (!has_name && number > 0) refuse("id-column", options.id_column);
  if (!has_date && number > 0) refuse("date-column", options.date_column);
}

// ---- Recognising the form ----

bool ends_with(std::string text, std::string_view ending) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) { return std::tolower(letter); });
  if (text.size() > 3 && text.compare(text.size() - 3, 3, ".gz") == 0) text.resize(text.size() - 3);
  return text.size() > ending.size() && text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

/// The beginning of the file, from the first character that is no blank.
std::string_view first_text(TextFile& file) {
  const std::string_view beginning = file.peek();
  return beginning.substr(std::min(beginning.find_first_not_of(" \t\r\n"), beginning.size()));
}

/// Exits if the first line is a JSON object, which `advice` tells how to read.
void refuse_json_lines(TextFile& file, const char* advice) {
  const std::string_view text = first_text(file);
  if (text.empty() || text.front() != '{') return;
  const Json object = object_of(std::string(text.substr(0, text.find('\n'))));
  if (!object.is_object()) return;
  fail_usage("%s is JSON Lines with the fields %s: name the one with the text by --field %s", file.name().c_str(),
             joined(keys_of(object)).c_str(), advice);
}

/// Exits if a file that should be read by lines is not plain text.
void refuse_structured(TextFile& file, const std::string& path) {
  const std::string_view beginning = file.peek(), text = first_text(file);
  refuse_json_lines(file, "(or use --lines to read every line as it is)");
  const bool is_json = ends_with(path, ".json") || text.substr(0, 2) == "[{" || text.substr(0, 2) == "{\n" ||
                       (text.substr(0, 1) == "[" && text.find_first_not_of(" \t\r\n", 1) == text.find('{'));
  if (is_json && !text.empty() && (text.front() == '[' || text.front() == '{')) {
    fail_usage("%s is JSON, but not JSON Lines, one object per line (jq -c '.[]' makes them from a list)",
               file.name().c_str());
  }
  const bool named_table = ends_with(path, ".csv") || ends_with(path, ".tsv") || ends_with(path, ".tab");
  char separator = separator_of_table(beginning);
  if (separator == 0 && named_table && !text.empty()) separator = separator_for(beginning, "");
  if (separator == 0) return;
  fail_usage(
      "%s is a table with the columns %s: name the one with the text by --column (or use --lines to read every line "
      "as it is)",
      file.name().c_str(), joined(first_record(beginning, separator)).c_str());
}

void each_in_file(TextFile& file, const std::string& path, const DocumentOptions& options, const Visit& visit) {
  if (!options.column.empty()) {
    refuse_json_lines(file, "instead of --column");
    each_record(file, options, visit);
  } else if (!options.field.empty()) {
    each_object(file, options, visit);
  } else {
    if (!options.lines) refuse_structured(file, path);
    each_line(file, visit);
  }
}

// ---- Folders ----

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code problem;
  fs::recursive_directory_iterator place(folder, fs::directory_options::none, problem), end;
  for (; !problem && place != end; place.increment(problem)) {
    const std::string name = place->path().filename().string();
    std::error_code gone;
    if (name.front() == '.') {
      if (place->is_directory(gone)) place.disable_recursion_pending();
      continue;
    }
    if (place->is_regular_file(gone)) files.push_back(place->path().lexically_relative(folder).string());
  }
  if (problem) fail("%s cannot be read: %s", folder.c_str(), problem.message().c_str());
  std::sort(files.begin(), files.end());
  return files;
}

DocumentsRead each_in_folder(const std::string& folder, const DocumentOptions& options, const Visit& visit) {
  DocumentsRead read;
  const std::vector<std::string> files = files_below(folder);
  if (files.empty()) fail("there is no file in %s", folder.c_str());
  for (const std::string& name : files) {
    const std::string path = (fs::path(folder) / name).string();
    if (options.encoding.empty() && !binary_kind_of_file(path).empty()) {
      if (read.files_left_out++ == 0) read.first_left_out = name;
      continue;
    }
    TextFile file(path, options.encoding);
    if (!options.column.empty() || !options.field.empty() || options.lines) {
      each_in_file(file, path, options, visit);
    } else {
      Document document;
      file.rest(document.text);
      document.name = name;
      visit(document);
    }
    read.bytes_replaced += file.replaced();
  }
  if (read.files_left_out == static_cast<int64_t>(files.size())) {
    fail("no file in %s is text; the first, %s, is %s", folder.c_str(), read.first_left_out.c_str(),
         binary_kind_of_file((fs::path(folder) / read.first_left_out).string()).c_str());
  }
  return read;
}

}  // namespace

bool is_document_below(const char* folder, const struct stat* file) {
  for (const std::string& name : files_below(folder)) {
    const std::string path = (fs::path(folder) / name).string();
    struct stat status;
    const bool same =
        stat(path.c_str(), &status) == 0 && status.st_dev == file->st_dev && status.st_ino == file->st_ino;
    if (same) return binary_kind_of_file(path).empty();
  }
  return false;
}

DocumentsRead each_document(const std::string& path, const DocumentOptions& options, const Visit& visit) {
  const bool table = !options.column.empty() || !options.field.empty();
  if (!table && (!options.id_column.empty() || !options.date_column.empty())) {
    fail_usage("--%s needs --column or --field", options.id_column.empty() ? "date-column" : "id-column");
  }
  if (!options.column.empty() && !options.field.empty()) fail_usage("--column and --field cannot be combined");
  if (table && options.lines)
    fail_usage("--lines cannot be combined with --%s", options.field.empty() ? "column" : "field");
  std::error_code problem;
  if (path != "-" && fs::is_directory(path, problem)) return each_in_folder(path, options, visit);
  TextFile file(path, options.encoding);
  each_in_file(file, path, options, visit);
  DocumentsRead read;
  read.bytes_replaced = file.replaced();
  return read;
}
