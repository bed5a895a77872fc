#pragma once
// Numbers and marks out of a text file, plain or gzip-compressed (found by content), as a stream: the memory used
// does not depend on the length of the file or of its lines.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <vtemper/vtemper.h>

struct gzFile_s;

namespace vtemper {

/// One of several ranges of a file's bytes, from 0.
struct FilePart {
  int32_t part = 0, parts = 1;
};

class Scanner {
 public:
  /// Of a part the reader sees the head as well, until it calls begin_rows. Error(IO) where the file cannot be opened
  /// or read; Error(FORMAT), here and later, where it is compressed and damaged or cut off.
  explicit Scanner(const std::string& path, FilePart part = {});
  Scanner(const Scanner&) = delete;
  Scanner& operator=(const Scanner&) = delete;
  ~Scanner();

  const std::string& path() const { return path_; }
  int64_t line() const { return line_; }  ///< of the next character, from 1

  /// What is read ahead: at least the first 64 KiB of a longer file, before anything else was asked for.
  std::string_view head() const { return {cursor_, static_cast<size_t>(limit_ - cursor_)}; }
  /// The head is all there is.
  bool head_is_all() const { return finished_; }

  /// Where in the file the next character is.
  int64_t position() const { return offset_ - (limit_ - cursor_); }
  bool is_part() const { return part_.parts > 1; }
  /// The rows begin at the position `first`, a line each: of a part only the lines follow that begin in its share of
  /// the bytes from there on. Empty lines stand before a line of the same part, unless the file ends with them.
  void begin_rows(int64_t first);

  bool at_end() { return cursor_ == limit_ && !refill(); }
  /// Skips blanks, tabs and carriage returns; then tells whether the line (or the file) is over.
  bool at_line_end();
  /// Goes on to the next line. Error(FORMAT) where something is left on this one.
  void end_line();
  /// Goes on to the next line, whatever is left on this one.
  void skip_line();
  /// Skips lines without content; then tells whether the file is over.
  bool skip_empty_lines();

  /// Takes the next character if it is this one.
  bool take(char character) {
    if (at_end() || *cursor_ != character) return false;
    ++cursor_;
    return true;
  }
  /// Takes the character or refuses the line: "... is followed by ... instead of ...".
  void expect(char character, const char* after);

  /// The next character, not taken; -1 at the end of the file.
  int peek() { return at_end() ? -1 : static_cast<unsigned char>(*cursor_); }
  /// Takes the character that peek saw.
  void skip_character() { line_ += *cursor_++ == '\n' ? 1 : 0; }
  /// Takes the next `size` bytes, whatever they are; fewer at the end of the file. Returns how many.
  int64_t bytes(void* out, int64_t size);

  /// The next number after blanks. `what` names it in messages. Error(FORMAT) where there is none.
  int64_t integer(const char* what);
  double real(const char* what);
  /// The characters up to the next blank, at most 255. The view is valid until the next call.
  std::string_view word();

  /// "PATH, line 3: reason"
  [[noreturn]] void refuse(vtemper_status status, const std::string& reason) const;
  [[noreturn]] void refuse_at(int64_t line, vtemper_status status, const std::string& reason) const;

 private:
  /// More of the file behind what is not taken yet. False where nothing comes any more.
  bool refill();
  /// The whole of the next number or word is in the buffer, unless it is longer than any.
  void have_word() {
    if (limit_ - cursor_ < longest_word) refill();
  }
  void skip_blanks();
  [[noreturn]] void refuse_number(const char* what) const;

  static constexpr int64_t longest_word = 512;

  /// The first line of a part: behind the first line with content that begins at `place` or later.
  int64_t line_from(int64_t place, int64_t size) const;

  std::string path_;
  FilePart part_;
  gzFile_s* file_ = nullptr;
  std::vector<char> buffer_;  ///< with a zero behind the limit
  const char* cursor_ = nullptr;
  const char* limit_ = nullptr;
  int64_t line_ = 1;
  int64_t offset_ = 0;         ///< in the file, of the limit
  int64_t left_ = INT64_MAX;   ///< bytes of the part that are not read yet
  int64_t begin_of_part_ = 0;  ///< lines are counted from there
  bool finished_ = false;
};

}  // namespace vtemper
