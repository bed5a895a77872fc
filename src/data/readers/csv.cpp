// Separated values: one row per line; the first line shows whether commas, semicolons or tabs separate. Empty fields,
// NA and NaN are missing values. If a field of the first line is neither a number nor missing, that line has the
// column names. If the first of them is empty, or if the rows have one field more than names and begin with a text,
// the first column has the names of the rows. Fields may be quoted (RFC 4180). Lines end in LF or CR LF. Blank lines
// are skipped, but with a single column a blank line after the names is an empty field.

#include <algorithm>

#include "data/readers/csv_line.h"
#include "data/readers/formats.h"
#include "support/error.h"

namespace vtemper {
namespace {

constexpr const char* missing_values = "missing values are empty, NA or NaN";

const char* signs(char separator) {
  return separator == ',' ? "commas" : separator == ';' ? "semicolons" : "tabs";
}

/// Not the name of a column: what other programs write for a missing value, or signs and digits without a letter.
bool is_no_name(std::string_view field) {
  constexpr std::string_view words[] = {"n/a", "#n/a", "<na>", "null", "none", "nil"};
  const std::string lower = lower_case(field);
  if (std::find(std::begin(words), std::end(words), lower) != std::end(words)) return true;
  return std::none_of(lower.begin(), lower.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c & 0x80) != 0; });
}

bool is_truth(std::string_view field) {
  constexpr std::string_view words[] = {"true", "false", "yes", "no", "y", "n"};
  const std::string lower = lower_case(field);
  return std::find(std::begin(words), std::end(words), lower) != std::end(words);
}

/// Whether a field that is not a number has several of them, with blanks between.
bool has_blanks_between_numbers(std::string_view field, char separator) {
  const size_t blank = field.find(' ');
  return blank != field.npos && is_number_or_missing(field.substr(0, blank), separator);
}

/// The expected content of a field that is not a number.
std::string expectation(std::string_view field, char separator) {
  const size_t other = field.find_first_of(separator == ',' ? ";\t" : separator == ';' ? "\t" : "");
  if (other != field.npos) {
    return message("fields are separated by ", signs(separator), ", which the first line decides, not by ",
                   signs(field[other]));
  }
  if (has_blanks_between_numbers(field, separator)) {
    return "fields are separated by commas, semicolons or tabs, not by blanks";
  }
  if (field.find('|') != field.npos) return "fields are separated by commas, semicolons or tabs, not by |";
  if (is_truth(field)) return "true and false, yes and no are given as 1 and 0";
  const bool has_digit = field.find_first_of("0123456789") != field.npos;
  if (!has_digit || !is_no_name(field)) return missing_values;
  if (field.find_first_not_of("0123456789.,'+- ") != field.npos || field.find('-', 1) != field.npos) {
    return "numbers stand without units and percent signs, and dates and times are no numbers";
  }
  return message("decimals begin with a point", separator == ',' ? "" : " or a comma",
                 ", thousands are not separated");
}

constexpr const char* cure_of_title = "remove lines above that of the names, such as a title or a comment";
constexpr const char* cure_of_row_names =
    "; names of the rows are a first column whose name in the first line is empty";

/// Whether a field that is not a number looks like the name of a row: a text, a number with signs or a date.
bool may_name_row(std::string_view field) {
  if (is_truth(field)) return false;
  return !is_no_name(field) || field.find_first_of("0123456789") != field.npos;
}

/// Whether the first line has the names of the columns. Error(FORMAT) if it could as well be a row with marks for
/// missing values or a notation of numbers that are not known here: it would be lost.
bool has_column_names(const Scanner& scanner, const CsvLine& line) {
  const std::string* mark = nullptr;
  for (const std::string& field : line.fields) {
    const std::string_view text = trimmed(field);
    // A number out of range is a fault of the first row, not a name.
    if (is_number_or_missing(text, line.separator) || is_written_as_real(field)) continue;
    if (!is_no_name(text)) return true;
    if (mark == nullptr) mark = &field;
  }
  if (mark == nullptr) return false;
  const std::string_view text = trimmed(*mark);
  std::string reason = expectation(text, line.separator);
  if (text.find_first_of("0123456789") != text.npos) reason += ", and a name has a letter";
  if (mark == &line.fields[0] && line.count() > 1 && may_name_row(text)) reason += cure_of_row_names;
  scanner.refuse_at(line.number, VTEMPER_ERROR_FORMAT,
                    message("the first line has ", quoted(text), " and no name of a column; ", reason));
}

/// Whether the first line may be the numbers of columns from 0 that pandas writes as their names: ",0,1,2".
bool may_be_numbered_names(const CsvLine& line) {
  if (line.count() < 2 || !trimmed(line.fields[0]).empty()) return false;
  for (int64_t i = 1; i < line.count(); ++i) {
    if (line.fields[static_cast<size_t>(i)] != number_text(i - 1)) return false;
  }
  return true;
}

/// Reads the lines of a table into the builder.
class Table {
 public:
  Table(Scanner& scanner, DataBuilder& data)
      : scanner_(scanner), data_(data), line_(csv_separator(scanner.head())), decimals_(line_.separator) {}

  void read() {
    if (!next_line()) throw Error(VTEMPER_ERROR_FORMAT, message(scanner_.path(), " has no lines"));
    CsvLine first = line_;
    fields_ = first_fields_ = first.count();
    const bool has_names = has_column_names(scanner_, first), may_be_numbered = may_be_numbered_names(first);
    int64_t begin = 0;  // of the rows
    bool first_is_row = true;
    if (has_names || may_be_numbered) {
      begin = scanner_.position();
      if (next_line()) ahead_.push_back(line_);
      first_is_row = has_names ? take_names(first) : !take_numbered_names(first);
      if (first_is_row) begin = 0;
    }
    if (first_is_row) ahead_.insert(ahead_.begin(), std::move(first));
    if (scanner_.is_part()) begin_part(begin);
    read_rows();
  }

 private:
  /// False at the end of the file.
  bool next_line() {
    if (!ahead_.empty()) {
      line_ = std::move(ahead_.front());
      ahead_.erase(ahead_.begin());
      return true;
    }
    if (!is_at_end_ && line_.read(scanner_)) return true;
    if (!is_at_end_) blank_at_end_ = line_.blank_before;
    is_at_end_ = true;
    return false;
  }

  int64_t columns() const { return fields_ - (row_names_ != nullptr ? 1 : 0); }

  void begin_row_names() { row_names_ = &data_.row_names(scanner_.path()); }

  /// Takes the names of the first line, before the rows that were read ahead. Always false: it is not a row.
  bool take_names(const CsvLine& first) {
    for (const std::string& field : first.fields) names_.emplace_back(trimmed(field));
    const CsvLine* const row = ahead_.empty() ? nullptr : &ahead_[0];
    if (first_fields_ > 1 && names_.back().empty() &&
        (row == nullptr || row->count() == first_fields_ - 1 ||
         (row->count() == first_fields_ && trimmed(row->fields.back()).empty()))) {
      scanner_.refuse_at(first.number, VTEMPER_ERROR_FORMAT,
                         message("the last name is empty, and so is the last field of the first row; remove the ",
                                 signs(first.separator), " at the ends of the lines"));
    }
    const auto unnamed = std::find(names_.begin() + 1, names_.end(), "");
    if (unnamed != names_.end()) {
      scanner_.refuse_at(first.number, VTEMPER_ERROR_FORMAT,
                         message("the first line names the columns, but its field ", unnamed - names_.begin() + 1,
                                 " is empty; ", is_title(row) ? cure_of_title : "name that column"));
    }
    if (first_fields_ > 1 && names_[0].empty()) {
      names_.erase(names_.begin());
      begin_row_names();
    } else if (row != nullptr && first_fields_ > 1 && row->count() == first_fields_ + 1 && names_itself(*row)) {
      ++fields_;
      begin_row_names();
    }
    data_.set_names(names_, scanner_.path());
    return false;
  }

  /// Whether the first line with a gap is a title: nothing stands beside its first field, or the next line has names.
  bool is_title(const CsvLine* next) const {
    const auto is_empty = [](const std::string& name) { return name.empty(); };
    const auto may_be_name = [&](const std::string& field) {
      return !is_number_or_missing(trimmed(field), next->separator) && !is_no_name(trimmed(field));
    };
    return std::all_of(names_.begin() + 1, names_.end(), is_empty) ||
           (next != nullptr && std::any_of(next->fields.begin() + 1, next->fields.end(), may_be_name));
  }

  /// Whether a row with one field more than names begins with its own name. A number without quotes may as well be
  /// the first value, if decimals were split at commas or if the lines end with separators.
  static bool names_itself(const CsvLine& row) {
    return (row.first_is_quoted || !is_number_or_missing(trimmed(row.fields[0]), row.separator)) &&
           !trimmed(row.fields.back()).empty();
  }

  /// Takes numbers of columns as names, if the rows are numbered as well: a row may have the same numbers. False if
  /// the line is a row.
  bool take_numbered_names(const CsvLine& first) {
    if (!ahead_.empty() && ahead_[0].fields[0] == "0" && ahead_[0].count() == first.count()) {
      for (int64_t i = 1; i < first.count(); ++i) names_.push_back(first.fields[static_cast<size_t>(i)]);
      begin_row_names();
      is_numbered_ = true;
      data_.set_names(names_, scanner_.path());
      return true;
    }
    if (first.count() > 3) refuse_numbered_names(first.number);
    return false;
  }

  [[noreturn]] void refuse_numbered_names(int64_t line) const {
    scanner_.refuse_at(
        line, VTEMPER_ERROR_FORMAT,
        "the first line has an empty field and the numbers from 0, which may be names or a row, and the "
        "rows are not numbered from 0; name the columns by words, or write NA for a missing value");
  }

  /// Goes to the lines of a part, after a look at the beginning of the file for its sign of decimals, so that all
  /// parts read numbers alike.
  void begin_part(int64_t begin) {
    constexpr int64_t beginning = 65536;
    while (next_line()) {
      for (const std::string& field : line_.fields) {
        if (csv_number(trimmed(field), line_.separator)) decimals_.see(scanner_, line_, trimmed(field));
      }
      if (ahead_.empty() && scanner_.position() > beginning) break;
    }
    scanner_.begin_rows(begin);
    is_at_end_ = false;
  }

  void read_rows() {
    DenseBuilder<double>& values = data_.dense<double>(columns(), scanner_.path());
    while (next_line()) {
      push_blank_lines(line_.blank_before, values);
      push_row(values);
      ++rows_;
    }
    push_blank_lines(blank_at_end_, values);
    decimals_.end(scanner_);
    data_.end(rows_, columns());
  }

  void push_blank_lines(int64_t count, DenseBuilder<double>& values) {
    if (fields_ > 1) return;
    for (int64_t i = 0; i < count; ++i) values.push(std::nan(""));
    rows_ += count;
  }

  void push_row(DenseBuilder<double>& values) {
    if (line_.count() != fields_) refuse_count();
    const int64_t begin = row_names_ != nullptr ? 1 : 0;
    if (row_names_ != nullptr) push_row_name();
    for (int64_t i = begin; i < fields_; ++i) {
      const std::string_view field = trimmed(line_.fields[static_cast<size_t>(i)]);
      const std::optional<double> number = csv_number(field, line_.separator);
      if (number) decimals_.see(scanner_, line_, field);
      if (!number && !field.empty() && field != "NA") refuse_field(i - begin, field);
      values.push(number.value_or(std::nan("")));
    }
  }

  void push_row_name() {
    const std::string& field = line_.fields[0];
    if (is_numbered_) {
      const std::optional<int64_t> number = parse_integer(field);
      // A part begins with any number.
      const bool is_next = number && (rows_ > 0 ? *number == last_number_ + 1 : scanner_.is_part() || *number == 0);
      if (!is_next) refuse_numbered_names(line_.number);
      last_number_ = *number;
    }
    row_names_->add(line_.first_is_quoted ? std::string_view(field) : trimmed(field));
  }

  [[noreturn]] void refuse_count() const {
    const int64_t count = line_.count();
    scanner_.refuse_at(line_.number, VTEMPER_ERROR_FORMAT,
                       message("row ", rows_, " has ", count, count == 1 ? " field" : " fields", ", but the first ",
                               fields_ == first_fields_ ? "line" : "row", " has ", fields_, cause_of_count()));
  }

  /// What a line with too many or too few fields shows.
  std::string cause_of_count() const {
    const char separator = line_.separator;
    for (const std::string& field : line_.fields) {
      const std::string_view text = trimmed(field);
      const size_t found = text.find_first_of(separator == ',' ? ";\t" : separator == ';' ? "\t" : "");
      if (found == text.npos) continue;
      return message("; fields seem to be separated by ", signs(text[found]),
                     fields_ > 1 ? message(", but those of the first line by ", signs(separator))
                                 : std::string(", but the first line has none"));
    }
    if (line_.count() == fields_ + 1 && trimmed(line_.fields.back()).empty()) {
      return message("; remove the ", signs(separator), " at the ends of the lines");
    }
    if (fields_ == 1 && separator == ',') {
      const bool has_text = std::any_of(line_.fields.begin(), line_.fields.end(), [&](const std::string& field) {
        return !is_number_or_missing(trimmed(field), separator);
      });
      return has_text ? message("; ", cure_of_title) : "; decimals begin with a point where commas separate fields";
    }
    if (line_.count() == fields_ + 1 && !names_.empty()) return cure_of_row_names;
    return "";
  }

  [[noreturn]] void refuse_field(int64_t column, std::string_view field) const {
    std::string reason = expectation(field, line_.separator);
    if (column == 0 && row_names_ == nullptr && fields_ > 1 && may_name_row(field)) reason += cure_of_row_names;
    scanner_.refuse_at(
        line_.number, VTEMPER_ERROR_FORMAT,
        message("row ", rows_, ", column ", column, " holds ", quoted(field), ", which is not a number; ", reason,
                names_.empty() ? std::string()
                               : message("; the column is ", quoted(names_[static_cast<size_t>(column)]))));
  }

  Scanner& scanner_;
  DataBuilder& data_;
  CsvLine line_;
  std::vector<CsvLine> ahead_;  ///< lines that were read before they are rows
  bool is_at_end_ = false;
  int64_t blank_at_end_ = 0;
  CsvDecimals decimals_;
  int64_t fields_ = 0, first_fields_ = 0;  ///< of the rows, of the first line
  Names names_;
  RowTextsBuilder* row_names_ = nullptr;
  bool is_numbered_ = false;  ///< rows are named by their numbers, as the columns are
  int64_t last_number_ = 0;
  int64_t rows_ = 0;
};

}  // namespace

void read_csv(Scanner& scanner, DataBuilder& data) {
  Table(scanner, data).read();
}

}  // namespace vtemper
