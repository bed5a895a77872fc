// Reads a file with the reader of the requested or detected format.

#include <sys/stat.h>

#include <algorithm>

#include "data/mapped/mapped.h"
#include "data/names.h"
#include "data/readers/formats.h"
#include "storage/container.h"
#include "support/error.h"

namespace vtemper {
namespace {

constexpr const char* valid_formats =
    "docword, ldac, svmlight, svmlight0, svmlight1, matrix_market, sequences, labelled_sequences, word_sequences, "
    "csv, npy, idx and mapped";

/// Only regular files can be mapped, because detection opens them a first time.
bool is_regular_file(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// Whether text begins with the byte order mark of UTF-16.
bool is_utf_16(std::string_view head) {
  return head.substr(0, 2) == "\xff\xfe" || head.substr(0, 2) == "\xfe\xff";
}

/// Whether the beginning of a text is a single line with carriage returns inside. To readers they are blanks, so the
/// text would be read as one row.
bool has_old_line_ends(std::string_view head) {
  const size_t end = head.find('\r');
  const bool is_text = std::none_of(head.begin(), head.end(), [](char c) { return c >= 0 && c < '\t'; });
  return is_text && end != head.npos && head.find('\n') == head.npos &&
         head.find_first_not_of("\r \t", end) != head.npos;
}

/// Comma-separated values may have carriage returns within quotes; their reader knows.
bool ends_rows_by_lines(const FileFormat& format) {
  return format.name != std::string_view("csv") && format.name != std::string_view("npy") &&
         format.name != std::string_view("idx");
}

/// The kind of file, other than those that are read, whose mark these bytes begin with; "" for others.
std::string_view foreign_kind(std::string_view head) {
  using namespace std::string_view_literals;
  constexpr std::string_view marks[][2] = {{"PK\x03\x04", "a ZIP archive or an office document"},
                                           {"\xd0\xcf\x11\xe0", "an old office document"},
                                           {"%PDF-", "a PDF document"},
                                           {"PAR1", "a Parquet file"},
                                           {"\x89HDF", "an HDF5 file"},
                                           {"RDX2", "an image of R"},
                                           {"RDX3", "an image of R"},
                                           {"X\n\0\0\0"sv, "an object of R"},
                                           {"\x1f\x8b", "compressed twice"},
                                           {"BZh", "compressed by bzip2"},
                                           {"\xfd\x37zXZ", "compressed by xz"},
                                           {"\x28\xb5\x2f\xfd", "compressed by zstd"}};
  for (const auto& [mark, kind] : marks) {
    if (head.substr(0, mark.size()) == mark) return kind;
  }
  return "";
}

/// Whether the first line, and what is known of the others, are numbers with blanks between.
bool is_numbers_and_blanks(std::string_view head) {
  const std::string_view line = trimmed(head.substr(0, head.find('\n')));
  return line.find_first_of(" \t") != line.npos && head.find_first_not_of("0123456789.+-eE \t\r\n") == head.npos;
}

[[noreturn]] void refuse_unrecognised(const std::string& path, std::string_view head) {
  const std::string what = message("the format of ", path, " cannot be recognised");
  if (!is_numbers_and_blanks(head)) {
    throw Error(VTEMPER_ERROR_FORMAT, message(what, "; give one of ", valid_formats));
  }
  throw Error(VTEMPER_ERROR_FORMAT,
              message(what,
                      ": it holds numbers with blanks between; sequences of symbols need the format sequences, or "
                      "labelled_sequences if each line begins with a label; awk '{ $1 = $1 } 1' OFS=, ",
                      path, " makes a CSV table"));
}

[[noreturn]] void refuse_parts(const std::string& path, std::string_view format) {
  const char* const why =
      format == "word_sequences" ? "whose words are numbered as they occur" : "whose rows are not lines";
  throw Error(VTEMPER_ERROR_UNSUPPORTED,
              message(path, " is ", format, ", ", why, ", so parts of it cannot be read separately"));
}

void read_file(const std::string& path, const std::string& format, DataBuilder& data, FilePart part = {}) {
  const bool is_unknown = format == "auto" || format.empty();
  const FileFormat* text = is_unknown ? nullptr : file_format(format);
  if (format == "mapped" || (is_unknown && is_regular_file(path) && looks_like_container(path))) {
    if (part.parts > 1) refuse_parts(path, "mapped");
    return data.take(open_mapped(path));
  }
  if (!is_unknown && text == nullptr) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("argument format is '", format, "'; valid values are auto, ", valid_formats));
  }
  Scanner scanner(path, part);
  if (is_unknown) text = recognise(scanner.head(), scanner.head_is_all(), path);
  const std::string_view foreign = text == nullptr ? foreign_kind(scanner.head()) : "";
  if (!foreign.empty()) {
    throw Error(VTEMPER_ERROR_FORMAT,
                message(path, " is ", foreign, "; export its data as CSV, which may be compressed by gzip"));
  }
  if (text == nullptr && is_utf_16(scanner.head())) {
    throw Error(VTEMPER_ERROR_FORMAT, message(path, " is UTF-16 text; convert it to UTF-8, for instance by iconv"));
  }
  // For a damaged table the reader reports line and column.
  if (text == nullptr && format_of_extension(path) == "csv") text = file_format("csv");
  if (text == nullptr ? has_old_line_ends(scanner.head())
                      : ends_rows_by_lines(*text) && has_old_line_ends(scanner.head())) {
    scanner.refuse(VTEMPER_ERROR_FORMAT, carriage_return_in_line);
  }
  if (text == nullptr) refuse_unrecognised(path, scanner.head());
  if (scanner.is_part() && !text->rows_are_lines) refuse_parts(path, text->name);
  text->read(scanner, data);
}

}  // namespace

DataPointer data_read(const std::string& path, const std::string& format) {
  DataBuilder data;
  read_file(path, format, data);
  return data.finish();
}

DataPointer data_read_part(const std::string& path, const std::string& format, int32_t part, int32_t parts) {
  DataBuilder data;
  read_file(path, format, data, {part, parts});
  return data.finish();
}

void data_convert(const std::string& path, const std::string& format, Names names, const std::string& out_path) {
  checked_names(names, VTEMPER_ERROR_DATA, "names");
  const ScratchFolder scratch(out_path);
  DataBuilder data(&scratch);
  read_file(path, format, data);
  data.write(std::move(names), path, out_path);
}

}  // namespace vtemper
