#pragma once
// Streaming tokenizer for text files, plain or gzip-compressed (detected by content). Its memory does not depend on
// the length of the file or of its lines.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <vtemper/vtemper.h>

struct gzFile_s;

namespace vtemper {

/// A decimal digit, in any locale.
inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// One of several ranges of a file's bytes, from 0.
struct FilePart {
  int32_t part = 0, parts = 1;
};

class Scanner {
 public:
  /// For a part, the reader also sees the head of the file until it calls begin_rows. Error(UNSUPPORTED) for a part
  /// of a compressed file or of a pipe, which is not opened; Error(IO) if the file cannot be opened or read;
  /// Error(FORMAT), here and later, if its compressed data are damaged or truncated.
  explicit Scanner(const std::string& path, FilePart part = {});
  Scanner(const Scanner&) = delete;
  Scanner& operator=(const Scanner&) = delete;
  ~Scanner();

  const std::string& path() const { return path_; }
  int64_t line() const { return line_; }  ///< of the next character, from 1

  /// The buffered beginning of the file, at least 64 KiB of a longer file; call before anything else.
  std::string_view head() const { return {cursor_, static_cast<size_t>(limit_ - cursor_)}; }
  /// Whether the head is the whole file.
  bool head_is_all() const { return finished_; }

  /// Position of the next character in the file.
  int64_t position() const { return offset_ - (limit_ - cursor_); }
  bool is_part() const { return part_.parts > 1; }
  /// Declares that the rows begin at position `first`, one per line. For a part, only the lines that begin in its
  /// share of the remaining bytes are then read. Empty lines belong to the same part as the next line that is not
  /// empty, if there is one.
  void begin_rows(int64_t first);

  bool at_end() { return cursor_ == limit_ && !refill(); }
  /// Skips spaces, tabs and carriage returns; true at the end of the line or file.
  bool at_line_end();
  /// Moves to the next line. Error(FORMAT) if this line has unread content.
  void end_line();
  /// Moves to the next line, skipping the rest of this one.
  void skip_line();
  /// Skips empty lines; true at the end of the file.
  bool skip_empty_lines();

  /// Consumes the next character if it is the given one.
  bool take(char character) {
    if (at_end() || *cursor_ != character) return false;
    ++cursor_;
    return true;
  }
  /// Consumes the character, or throws Error(FORMAT): "... is followed by ... instead of ...".
  void expect(char character, const char* after);

  /// The next character without consuming it; -1 at the end of the file.
  int peek() { return at_end() ? -1 : static_cast<unsigned char>(*cursor_); }
  /// Consumes the character returned by peek.
  void skip_character() { line_ += *cursor_++ == '\n' ? 1 : 0; }
  /// Reads up to `size` bytes; fewer at the end of the file. Returns the number read.
  int64_t bytes(void* out, int64_t size);

  /// Skips spaces and reads a number. `what` names it in messages. Error(FORMAT) if there is none.
  int64_t integer(const char* what);
  double real(const char* what);
  /// The next word, at most 255 bytes. The view is valid until the next call.
  std::string_view word();
  /// Skips spaces and a word of any length.
  void skip_word();

  /// "PATH, line 3: reason"
  [[noreturn]] void refuse(vtemper_status status, const std::string& reason) const;
  [[noreturn]] void refuse_at(int64_t line, vtemper_status status, const std::string& reason) const;

 private:
  /// Appends more of the file to the unread bytes. False at the end of the file.
  bool refill();
  /// Ensures that the next number or word is complete in the buffer, up to the maximum length.
  void have_word() {
    if (limit_ - cursor_ < longest_word) refill();
  }
  void skip_blanks();
  [[noreturn]] void refuse_number(const char* what) const;

  static constexpr int64_t longest_word = 512;

  /// Position of a part's first line: the end of the first line with content that begins at `place` or later.
  int64_t line_from(int64_t place, int64_t size) const;

  std::string path_;
  FilePart part_;
  gzFile_s* file_ = nullptr;
  std::vector<char> buffer_;  ///< zero-terminated at the limit
  const char* cursor_ = nullptr;
  const char* limit_ = nullptr;
  int64_t line_ = 1;
  int64_t offset_ = 0;         ///< position of the limit in the file
  int64_t left_ = INT64_MAX;   ///< bytes of the part that have not been read
  int64_t begin_of_part_ = 0;  ///< lines are counted from here
  bool finished_ = false;
};

}  // namespace vtemper
