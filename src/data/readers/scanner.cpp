#include "data/readers/scanner.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

#include "storage/failure.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/text.h"

namespace vtemper {
namespace {

constexpr size_t buffer_size = size_t{1} << 18;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/// Characters that continue a number: digits followed by one of these are not a plain integer.
bool continues_number(char c) {
  return is_digit(c) || c == '.' || c == '+' || c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string reason_of(int error_number) {
  return std::generic_category().message(error_number);
}

/// The word that begins there, quoted for a message.
std::string quoted_word(const char* begin, const char* limit) {
  const char* const end = std::find_if(begin, limit, [](char c) { return c == '\n' || is_blank(c); });
  return quoted({begin, static_cast<size_t>(end - begin)});
}

/// What is read of a pipe or device is gone for those who read the rest, so they are refused before they are opened.
/// That a file is missing or a folder is reported when it is read.
void require_divisible(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return;
  throw Error(VTEMPER_ERROR_UNSUPPORTED,
              message(path, " is not a regular file, so parts of it cannot be read separately"));
}

}  // namespace

Scanner::Scanner(const std::string& path, FilePart part) : path_(path), part_(part), buffer_(buffer_size + 1) {
  if (is_part()) require_divisible(path);
  cursor_ = limit_ = buffer_.data();
  errno = 0;
  file_ = gzopen(path.c_str(), "rbe");
  if (file_ == nullptr) {
    if (errno == 0) throw std::bad_alloc();
    fail_io(path, "cannot be opened", errno);
  }
  gzbuffer(file_, 1 << 17);
  try {
    refill();
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // of UTF-8, as spreadsheets write it
    if (std::string_view(cursor_, static_cast<size_t>(limit_ - cursor_)).substr(0, 3) == byte_order_mark)
      cursor_ += 3;
    if (is_part() && gzdirect(file_) == 0) {
      throw Error(VTEMPER_ERROR_UNSUPPORTED,
                  message(path, " is compressed, so parts of it cannot be read separately"));
    }
  } catch (...) {
    gzclose_r(file_);
    throw;
  }
}

Scanner::~Scanner() {
  gzclose_r(file_);
}

bool Scanner::refill() {
  if (finished_) return false;
  require_not_interrupted();
  const auto kept = static_cast<size_t>(limit_ - cursor_);
  std::memmove(buffer_.data(), cursor_, kept);
  cursor_ = buffer_.data();
  limit_ = cursor_ + kept;
  errno = 0;
  const auto wanted = static_cast<int>(std::min(static_cast<int64_t>(buffer_size - kept), left_));
  const int read = wanted > 0 ? gzread(file_, buffer_.data() + kept, static_cast<unsigned>(wanted)) : 0;
  const int read_error = errno;
  if (read > 0) {
    limit_ += read;
    offset_ += read;
    left_ -= read;
  }
  buffer_[static_cast<size_t>(limit_ - buffer_.data())] = '\0';
  finished_ = read < wanted || left_ == 0;
  int code = Z_OK;
  gzerror(file_, &code);
  if (code == Z_MEM_ERROR) throw std::bad_alloc();
  if (code == Z_ERRNO) {
    throw Error(VTEMPER_ERROR_IO, message(path_, " cannot be read: ", reason_of(read_error)));
  }
  if (code == Z_BUF_ERROR) {
    throw Error(VTEMPER_ERROR_FORMAT, message(path_, " is truncated: its compressed data end too early"));
  }
  if (read < 0 || code != Z_OK) {
    throw Error(VTEMPER_ERROR_FORMAT, message(path_, " is damaged: its compressed data are not valid"));
  }
  return read > 0;
}

namespace {

struct OpenFile {
  explicit OpenFile(const std::string& path) : descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor >= 0) close(descriptor);
  }
  int descriptor;
};

}  // namespace

int64_t Scanner::line_from(int64_t place, int64_t size) const {
  const OpenFile file(path_);
  bool in_line = false, has_content = false;  // of the first line that begins at `place` or later
  char bytes[4096];
  for (int64_t next = place - 1; next < size;) {
    const ssize_t read = pread(file.descriptor, bytes, sizeof bytes, static_cast<off_t>(next));
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0)
      throw Error(VTEMPER_ERROR_IO, message(path_, " cannot be read: ", reason_of(read < 0 ? errno : EIO)));
    for (ssize_t i = 0; i < read; ++i) {
      if (bytes[i] != '\n') {
        has_content = has_content || (in_line && !is_blank(bytes[i]));
      } else if (has_content) {
        return next + i + 1;
      } else {
        in_line = true;
      }
    }
    next += read;
  }
  return size;
}

void Scanner::begin_rows(int64_t first) {
  if (!is_part()) return;
  struct stat status = {};
  if (stat(path_.c_str(), &status) != 0) {
    throw Error(VTEMPER_ERROR_IO, message(path_, " cannot be read: ", reason_of(errno)));
  }
  const int64_t size = status.st_size, rows = std::max<int64_t>(size - first, 0);
  const auto begin_of = [&](int64_t part) {
    if (part == 0) return first;
    if (part == part_.parts) return std::max(first, size);
    // Does not compute rows * part, which may overflow.
    const int64_t place = first + rows / part_.parts * part + rows % part_.parts * part / part_.parts;
    return place == first ? first : line_from(place, size);
  };
  begin_of_part_ = begin_of(part_.part);
  left_ = begin_of(part_.part + int64_t{1}) - begin_of_part_;
  if (gzseek(file_, begin_of_part_, SEEK_SET) != begin_of_part_) {
    throw Error(VTEMPER_ERROR_IO, message(path_, " cannot be read: ", reason_of(errno)));
  }
  cursor_ = limit_ = buffer_.data();
  offset_ = begin_of_part_;
  line_ = 1;
  finished_ = false;
  refill();
}

void Scanner::skip_blanks() {
  do {
    while (is_blank(*cursor_)) ++cursor_;  // stops at the terminating zero
  } while (cursor_ == limit_ && refill());
}

bool Scanner::at_line_end() {
  skip_blanks();
  return cursor_ == limit_ || *cursor_ == '\n';
}

void Scanner::end_line() {
  if (!at_line_end()) {
    have_word();
    refuse(VTEMPER_ERROR_FORMAT, message(quoted_word(cursor_, limit_), " stands where the line should end"));
  }
  skip_line();
}

void Scanner::skip_line() {
  while (!at_end()) {
    const void* end = std::memchr(cursor_, '\n', static_cast<size_t>(limit_ - cursor_));
    if (end != nullptr) {
      cursor_ = static_cast<const char*>(end) + 1;
      ++line_;
      return;
    }
    cursor_ = limit_;
  }
}

bool Scanner::skip_empty_lines() {
  while (at_line_end()) {
    if (at_end()) return true;
    skip_line();
  }
  return false;
}

int64_t Scanner::bytes(void* out, int64_t size) {
  int64_t taken = 0;
  while (taken < size && !at_end()) {
    const int64_t part = std::min<int64_t>(size - taken, limit_ - cursor_);
    std::memcpy(static_cast<char*>(out) + taken, cursor_, static_cast<size_t>(part));
    cursor_ += part;
    taken += part;
  }
  return taken;
}

void Scanner::expect(char character, const char* after) {
  if (take(character)) return;
  have_word();
  const char expected[] = {'\'', character, '\'', '\0'};
  refuse(VTEMPER_ERROR_FORMAT,
         message(after, " is followed by ", at_line_end() ? "the end of the line" : quoted_word(cursor_, limit_),
                 " instead of ", expected));
}

int64_t Scanner::integer(const char* what) {
  skip_blanks();
  have_word();
  const char* c = cursor_;
  const bool is_negative = *c == '-';
  if (is_negative) ++c;
  const char* const digits = c;
  int64_t value = 0;
  while (is_digit(*c) && c - digits < 18) value = 10 * value + (*c++ - '0');
  if (c == digits || continues_number(*c)) refuse_number(what);  // 19 digits and more are refused as well
  cursor_ = c;
  return is_negative ? -value : value;
}

double Scanner::real(const char* what) {
  skip_blanks();
  have_word();
  const char* c = cursor_;
  int64_t whole = 0;
  while (is_digit(*c) && c - cursor_ < 15) whole = 10 * whole + (*c++ - '0');
  if (c > cursor_ && !continues_number(*c)) {  // most counts are integers
    cursor_ = c;
    return static_cast<double>(whole);
  }
  double value = 0;
  const char* begin = *cursor_ == '+' && cursor_[1] != '-' ? cursor_ + 1 : cursor_;
  const auto [end, error] = std::from_chars(begin, limit_, value);
  if (error == std::errc::result_out_of_range) {  // too large, or so small that zero is meant
    const char* e = std::find_if(begin, end, [](char letter) { return letter == 'e' || letter == 'E'; });
    if (e == end || e[1] != '-') refuse_number(what);
    value = 0;
  } else if (error != std::errc() || continues_number(*end) || end - cursor_ >= longest_word) {
    refuse_number(what);
  }
  cursor_ = end;
  return value;
}

std::string_view Scanner::word() {
  skip_blanks();
  have_word();
  const char* const begin = cursor_;
  while (cursor_ < limit_ && cursor_ - begin < 255 && *cursor_ != '\n' && !is_blank(*cursor_)) ++cursor_;
  return {begin, static_cast<size_t>(cursor_ - begin)};
}

void Scanner::skip_word() {
  skip_blanks();
  for (int next = peek(); next >= 0 && next != '\n' && !is_blank(static_cast<char>(next)); next = peek()) {
    skip_character();
  }
}

void Scanner::refuse_number(const char* what) const {
  const bool nothing = cursor_ == limit_ || *cursor_ == '\n';
  refuse(VTEMPER_ERROR_FORMAT, nothing ? message("the line ends where ", what, " should stand")
                                       : message(quoted_word(cursor_, limit_), " is not ", what));
}

void Scanner::refuse(vtemper_status status, const std::string& reason) const {
  refuse_at(line_, status, reason);
}

void Scanner::refuse_at(int64_t line, vtemper_status status, const std::string& reason) const {
  const std::string place = begin_of_part_ > 0 ? message(" from byte ", begin_of_part_, " on") : std::string();
  throw Error(status, message(path_, ", line ", line, place, ": ", reason));
}

}  // namespace vtemper
