#pragma once
// A text file, a pipe or the standard input ("-") as UTF-8: gzip is unpacked (found by content), other encodings are
// converted, binary files are refused.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

/// Longest document, line or field, in bytes.
constexpr size_t max_document_bytes = size_t{1} << 30;

class TextFile {
 public:
  /// Ends the command where the file cannot be read or is no text.
  /// @param encoding  a name that ICU knows: bytes that are none of it are replaced by U+FFFD and counted. "": UTF-8,
  ///                  or UTF-16 and UTF-32 with their marks; other bytes end the command
  TextFile(const std::string& path, const std::string& encoding);
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  /// The beginning of what is still to be read, up to some 64 KB.
  std::string_view peek();
  /// The next byte, or -1 at the end.
  int get();
  /// The next line without its end ("\n" or "\r\n"); false at the end of the file.
  bool line(std::string& text);
  /// Passes over the ends of lines that come next.
  void skip_line_breaks();
  /// All that is left.
  void rest(std::string& text);
  /// The line of the next byte, from 1.
  int64_t line_number() const { return lines_ + 1; }
  /// Byte sequences that were replaced.
  int64_t replaced() const;
  const std::string& name() const { return name_; }

 private:
  struct Input;
  void fill();
  bool at_end();
  void append_limited(std::string& text, const char* bytes, size_t count) const;

  std::string name_;
  std::unique_ptr<Input> input_;
  std::string buffer_;
  size_t position_ = 0;
  int64_t lines_ = 0;
  bool ended_ = false;
};

/// What kind of binary file begins with these bytes, such as "a PDF document"; "" for what may be text.
std::string binary_kind(std::string_view bytes);

/// The same of a file, unpacked where it is compressed; "" also where it cannot be read.
std::string binary_kind_of_file(const std::string& path);
