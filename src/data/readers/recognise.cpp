// Detects the format of a file from its first lines. File names are often wrong, so the extension decides only
// between formats that the lines allow.

#include <algorithm>
#include <optional>
#include <vector>

#include "data/readers/csv_line.h"
#include "data/readers/formats.h"

namespace vtemper {
namespace {

constexpr FileFormat formats[] = {{"docword", read_docword},
                                  {"ldac", read_lda_c, true},
                                  {"svmlight", read_svmlight},
                                  {"svmlight0", read_svmlight_from_0},
                                  {"svmlight1", read_svmlight_from_1},
                                  {"matrix_market", read_matrix_market},
                                  {"sequences", read_sequences, true},
                                  {"labelled_sequences", read_labelled_sequences, true},
                                  {"word_sequences", read_word_sequences},
                                  {"csv", read_csv, true},
                                  {"npy", read_npy},
                                  {"idx", read_idx}};

/// The features of a line.
struct Line {
  std::optional<int64_t> whole_label;  ///< the first word, if it is an integer
  bool has_label = false;              ///< the first word is a number or a list of numbers with commas
  int64_t pairs = 0;                   ///< further words of the form number:number
  int64_t plain_numbers = 0;           ///< further words that are numbers
  bool has_remark = false;             ///< qid: or a comment
  bool has_other = false;              ///< any other word, also the first
  bool is_complete = true;             ///< the head contains the end of the line
};

bool is_number(std::string_view word) {
  return parse_real(word).has_value();
}

bool is_label(std::string_view word) {
  for (size_t comma = word.find(','); comma != word.npos; comma = word.find(',')) {
    if (!is_number(word.substr(0, comma))) return false;
    word.remove_prefix(comma + 1);
  }
  return is_number(word);
}

void add_word(Line& line, std::string_view word, bool is_first) {
  const size_t colon = word.find(':');
  if (is_first) {
    line.whole_label = parse_integer(word);
    line.has_label = is_label(word);
    line.has_other = !line.has_label;
  } else if (colon == word.npos && is_number(word)) {
    ++line.plain_numbers;
  } else if (word.substr(0, colon) == "qid") {
    line.has_remark = true;
  } else if (colon != word.npos && parse_integer(word.substr(0, colon)) && is_number(word.substr(colon + 1))) {
    ++line.pairs;
  } else {
    line.has_other = true;
  }
}

Line shape(std::string_view text) {
  Line line;
  const size_t comment = text.find('#');
  if (comment != text.npos) {
    line.has_remark = true;
    text = text.substr(0, comment);
  }
  constexpr const char* blanks = " \t\r";
  bool is_first = true;
  for (size_t begin = text.find_first_not_of(blanks); begin != text.npos; begin = text.find_first_not_of(blanks)) {
    text.remove_prefix(begin);
    const size_t end = std::min(text.find_first_of(blanks), text.size());
    add_word(line, text.substr(0, end), is_first);
    is_first = false;
    text.remove_prefix(end);
  }
  return line;
}

/// The features of the first lines, except empty lines and comment lines.
std::vector<Line> first_lines(std::string_view head, bool is_all) {
  std::vector<Line> lines;
  while (!head.empty() && lines.size() < 50) {
    const size_t end = head.find('\n');
    std::string_view text = head.substr(0, end);
    const bool is_complete = end != head.npos || is_all;
    // The last word of an incomplete line may be truncated.
    if (!is_complete) text = text.substr(0, text.find_last_of(" \t") == text.npos ? 0 : text.find_last_of(" \t"));
    Line line = shape(text);
    line.is_complete = is_complete;
    if (line.has_label || line.has_other || line.pairs + line.plain_numbers > 0) lines.push_back(line);
    head = end == head.npos ? std::string_view() : head.substr(end + 1);
  }
  return lines;
}

bool stands_alone(const Line& line) {
  return line.whole_label && *line.whole_label >= 0 && line.pairs + line.plain_numbers == 0 && !line.has_remark &&
         !line.has_other;
}

/// Three sizes, then three numbers per line.
bool may_be_docword(const std::vector<Line>& lines) {
  if (lines.size() < 3 || !std::all_of(lines.begin(), lines.begin() + 3, stands_alone)) return false;
  return lines.size() == 3 || (lines[3].plain_numbers == 2 && lines[3].pairs == 0);
}

bool may_be_svmlight(const std::vector<Line>& lines) {
  return std::all_of(lines.begin(), lines.end(),
                     [](const Line& line) { return line.has_label && !line.has_other && line.plain_numbers == 0; });
}

/// Lines that begin with the number of their pairs. One line may be wrong: the file is then damaged, and its
/// reader reports that.
bool may_be_lda_c(const std::vector<Line>& lines) {
  const auto agrees = [](const Line& line) {
    return line.whole_label && line.plain_numbers == 0 &&
           (line.is_complete ? *line.whole_label == line.pairs : *line.whole_label >= line.pairs);
  };
  const auto has_remark = [](const Line& line) { return line.has_remark; };
  if (std::any_of(lines.begin(), lines.end(), has_remark)) return false;
  return 2 * std::count_if(lines.begin(), lines.end(), agrees) > static_cast<int64_t>(lines.size());
}

/// Two zeros, a known type and the number of dimensions: no text begins with zeros.
bool is_idx(std::string_view head) {
  return head.size() >= 4 && head[0] == 0 && head[1] == 0 &&
         std::string_view("\x08\x09\x0b\x0c\x0d\x0e").find(head[2]) != std::string_view::npos && head[3] > 0;
}

/// Lines with the same number of fields, at least two, and after the first line only numbers and missing values, but
/// for names of the rows.
bool may_be_csv(std::string_view head, bool is_all) {
  const char separator = csv_separator(head);
  const auto is_value = [separator](std::string_view field) { return is_number_or_missing(field, separator); };
  size_t fields = 0;
  int lines = 0;
  bool has_names = false, has_row_names = false;
  while (lines < 50 && !head.empty()) {
    const size_t end = head.find('\n');
    if (end == head.npos && !is_all) break;
    std::string_view text = head.substr(0, end);
    head = end == head.npos ? std::string_view() : head.substr(end + 1);
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    if (trimmed(text).empty()) continue;
    const CsvFields line = csv_fields(text, separator);
    if (lines == 0) {
      fields = line.fields.size();
      has_names = !std::all_of(line.fields.begin(), line.fields.end(), is_value);
      has_row_names = has_names && line.fields[0].empty();
    } else if (lines == 1 && has_names && line.fields.size() == fields + 1 &&
               (line.first_is_quoted || !is_value(line.fields[0]))) {
      ++fields;
      has_row_names = true;
    }
    if (fields < 2 || line.fields.size() != fields) return false;
    if (lines > 0 && !std::all_of(line.fields.begin() + (has_row_names ? 1 : 0), line.fields.end(), is_value)) {
      return false;
    }
    ++lines;
  }
  return lines > (has_names ? 1 : 0);
}

/// With fewer than two pairs per line, a class label cannot be distinguished from a number of words.
bool is_telling(const Line& line) {
  return line.pairs >= 2 || (line.whole_label && *line.whole_label >= 2);
}

/// Whether some lines have pairs after a whole number, and the others a whole number alone.
bool has_counted_pairs(const std::vector<Line>& lines) {
  return std::any_of(lines.begin(), lines.end(), [](const Line& line) { return line.pairs > 0; }) &&
         std::all_of(lines.begin(), lines.end(), [](const Line& line) {
           return line.whole_label.value_or(-1) >= 0 && line.plain_numbers == 0 && !line.has_remark &&
                  !line.has_other;
         });
}

/// Whether lines of numbers may be of the format that the file's extension stands for. Numbers of pairs that are
/// wrong are reported by the reader.
bool may_be(std::string_view format, const std::vector<Line>& lines) {
  if (format == "ldac") return may_be_lda_c(lines) || has_counted_pairs(lines);
  if (format == "svmlight") return may_be_svmlight(lines);
  return format == "csv" && std::all_of(lines.begin(), lines.end(), stands_alone);  // a single column
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

const FileFormat* file_format(std::string_view name) {
  const auto* found = std::find_if(std::begin(formats), std::end(formats),
                                   [&](const FileFormat& format) { return format.name == name; });
  return found == std::end(formats) ? nullptr : found;
}

std::string_view format_of_extension(std::string_view path) {
  constexpr std::string_view extensions[][2] = {{".csv", "csv"},           {".tsv", "csv"},
                                                {".ldac", "ldac"},         {".svm", "svmlight"},
                                                {".svmlight", "svmlight"}, {".libsvm", "svmlight"}};
  if (ends_with(path, ".gz")) path.remove_suffix(3);
  for (const auto& [extension, format] : extensions) {
    if (ends_with(path, extension)) return format;
  }
  return "";
}

const FileFormat* recognise(std::string_view head, bool is_all, std::string_view path) {
  constexpr std::string_view banner = "%%matrixmarket";
  if (lower_case(head.substr(0, banner.size())) == banner) return file_format("matrix_market");
  if (head.substr(0, 6) == "\x93NUMPY") return file_format("npy");
  if (is_idx(head)) return file_format("idx");
  if (may_be_csv(head, is_all)) return file_format("csv");
  const std::vector<Line> lines = first_lines(head, is_all);
  if (lines.empty()) return nullptr;
  const std::string_view named = format_of_extension(path);
  if (may_be(named, lines)) return file_format(named);
  const bool lda_c = may_be_lda_c(lines), svmlight = may_be_svmlight(lines);
  if (may_be_docword(lines)) return lda_c ? nullptr : file_format("docword");
  const bool telling = std::any_of(lines.begin(), lines.end(), is_telling);
  if (lda_c && (telling || !svmlight)) return file_format("ldac");
  if (!svmlight || lda_c) return nullptr;
  const bool has_pairs = std::any_of(lines.begin(), lines.end(), [](const Line& line) { return line.pairs > 0; });
  return has_pairs ? file_format("svmlight") : nullptr;
}

}  // namespace vtemper
