#include "unreadable_file.h"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "failure.h"
#include "text_file.h"

namespace {

constexpr const char* text_advice = "convert it by vtemper convert --text; most commands also read it by --text";

/// The first bytes of the file, decompressed if necessary.
std::string head_of(const char* path) {
  gzFile file = gzopen(path, "rb");
  if (file == nullptr) return "";
  std::string bytes(4096, '\0');
  const int count = gzread(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  bytes.resize(static_cast<size_t>(std::max(count, 0)));
  return bytes;
}

/// Whether at least half of the bytes are letters and none belongs to a binary file.
bool is_raw_text(const std::string& head) {
  if (head.compare(0, 2, "%%") == 0) return false;  // Matrix Market, whose first line is words
  size_t letters = 0;
  for (const char c : head) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < '\t') return false;
    letters += (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z' ? 1 : byte >= 0x80;
  }
  return letters > 0 && 2 * letters >= head.size();
}

/// Whether the first line, and what is known of the others, are numbers with blanks between.
bool is_numbers_and_blanks(const std::string& head) {
  constexpr const char* blanks = " \t\r";
  const std::string line = head.substr(0, head.find('\n'));
  const size_t begin = line.find_first_not_of(blanks), end = line.find_last_not_of(blanks);
  return begin != line.npos && line.substr(begin, end - begin).find_first_of(blanks) != line.npos &&
         head.find_first_not_of("0123456789.+-eE \t\r\n") == head.npos;
}

void refuse_unrecognised_numbers(const char* path, vtemper_data_form needed) {
  if (needed == VTEMPER_SEQUENCES) {
    fail(
        "the format of %s cannot be recognised: give --format sequences, or labelled_sequences if each line begins "
        "with a label",
        path);
  }
  fail(
      "the format of %s cannot be recognised: it holds numbers with blanks between; awk '{ $1 = $1 } 1' OFS=, %s "
      "makes a CSV table of them",
      path, path);
}

}  // namespace

void refuse_unreadable(const char* path, vtemper_status status, vtemper_data_form needed) {
  struct stat place;
  if (stat(path, &place) != 0) {
    if (std::strcmp(path, "-") == 0) {
      fail("- is raw text from the standard input (--text); other data are read from /dev/stdin");
    }
    return;
  }
  if (S_ISDIR(place.st_mode) && needed == VTEMPER_COUNTS) {
    fail("%s is a folder; if it holds texts, %s", path, text_advice);
  }
  if (status != VTEMPER_ERROR_FORMAT || !S_ISREG(place.st_mode)) return;
  const std::string head = head_of(path);
  const std::string kind = signed_kind(head);
  if (!kind.empty()) fail("%s is %s; export its data as CSV, which may be compressed by gzip", path, kind.c_str());
  const bool is_unknown = std::strstr(vtemper_last_error(), "cannot be recognised") != nullptr;
  if (is_unknown && is_numbers_and_blanks(head)) refuse_unrecognised_numbers(path, needed);
  // Of points the library says where it ends to be numbers, which tells more.
  if (needed == VTEMPER_DENSE || !is_raw_text(head)) return;
  if (needed == VTEMPER_COUNTS) fail("%s holds no counts; if it is raw text, %s", path, text_advice);
  fail(
      "%s holds no sequences of numbers, which --format sequences reads; --format word_sequences reads a sequence of "
      "words, separated by blanks, in each line; sed 's/./& /g' %s separates letters",
      path, path);
}
