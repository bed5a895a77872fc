#pragma once
// A text file, a pipe or standard input ("-") as UTF-8: gzip is decompressed (detected by content), other encodings
// are converted, binary files are refused.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

/// Maximum length of a document, line or field, in bytes.
constexpr size_t max_document_bytes = size_t{1} << 30;

/// Advice for lists of words, which option --encoding is not about.
constexpr const char* list_advice = "convert the file, for instance by iconv -f windows-1252 -t utf-8";

class TextFile {
 public:
  /// Exits if the file cannot be read or is not text.
  /// @param encoding  a name known to ICU: invalid bytes are replaced by U+FFFD and counted. "": UTF-8,
  ///                  or UTF-16 and UTF-32 with byte order marks; exits on other bytes
  /// @param advice    what the user can do about bytes that are not UTF-8
  TextFile(const std::string& path, const std::string& encoding,
           const char* advice =
               "name the encoding, such as --encoding windows-1252, or say --encoding utf-8 to have "
               "such bytes replaced");
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  /// The unread input, up to about 64 KB of it.
  std::string_view peek();
  /// The next byte, or -1 at the end.
  int get();
  /// The next line without its end ("\n" or "\r\n"); false at the end of the file.
  bool line(std::string& text);
  /// Skips line ends.
  void skip_line_breaks();
  /// Reads the rest of the input.
  void rest(std::string& text);
  /// Line number of the next byte, from 1.
  int64_t line_number() const { return lines_ + 1; }
  /// Number of byte sequences replaced.
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

/// The kind of binary file that begins with these bytes, such as "a PDF document"; "" if it may be text.
std::string binary_kind(std::string_view bytes);

/// As above for a file, decompressed if necessary; "" also if it cannot be read.
std::string binary_kind_of_file(const std::string& path);
