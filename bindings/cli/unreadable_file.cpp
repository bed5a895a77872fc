#include "unreadable_file.h"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "failure.h"

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

/// Whether no byte belongs to a binary file.
bool is_text(const std::string& head) {
  return !head.empty() && std::none_of(head.begin(), head.end(), [](unsigned char byte) { return byte < '\t'; });
}

/// Whether at least half of the bytes of a text are letters.
bool is_prose(const std::string& head) {
  if (head.compare(0, 2, "%%") == 0) return false;  // Matrix Market, whose first line is words
  const auto letters = std::count_if(head.begin(), head.end(), [](unsigned char byte) {
    return byte >= 0x80 || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
  });
  return 2 * letters >= static_cast<int64_t>(head.size());
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
  if ((status != VTEMPER_ERROR_FORMAT && status != VTEMPER_ERROR_DATA) || !S_ISREG(place.st_mode)) return;
  const std::string head = head_of(path);
  if (!is_text(head)) return;
  if (needed == VTEMPER_SEQUENCES) {
    fail(
        "the format of %s has to be named: --format sequences for numbers separated by blanks, labelled_sequences if "
        "a label begins each line, word_sequences for words; tr , ' ' <%s replaces commas, sed 's/./& /g' %s "
        "separates letters",
        path, path, path);
  }
  // Of points the library says where it ends to be numbers, which tells more.
  if (needed == VTEMPER_COUNTS && status == VTEMPER_ERROR_FORMAT && is_prose(head)) {
    fail("%s holds no counts; if it is raw text, %s", path, text_advice);
  }
}
