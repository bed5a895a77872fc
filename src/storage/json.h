#pragma once
// The subset of JSON that a header needs. General parsers bring locale-dependent number parsing and recursion or an
// unbounded stack; the header's grammar is fixed, so the caller states which token must come next, and the nesting
// depth is bounded.

#include <cstdint>
#include <string>
#include <string_view>

namespace vtemper {

/// A pull parser that reads one token at a time. Errors are Error(FORMAT) and name the file and the byte.
class JsonReader {
 public:
  /// Borrows the text, which must be valid UTF-8.
  JsonReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  /// Skips blanks and consumes the next byte if it is `symbol`.
  bool take(char symbol);
  void expect(char symbol);
  void expect_end();
  std::string string();
  /// An integer from 0 to INT64_MAX, without sign, fraction or exponent.
  int64_t whole_number();

  /// Calls item() for each of the comma-separated items up to `closing`; the opening bracket has been consumed.
  template <class Item>
  void items(char closing, const Item& item) {
    if (take(closing)) return;
    do {
      item();
    } while (take(','));
    expect(closing);
  }

 private:
  void skip_blanks();
  void append_escaped(std::string& out);
  uint32_t hexadecimal_unit();
  [[noreturn]] void refuse(const char* what) const;

  std::string_view text_;
  size_t at_ = 0;
  const std::string& file_;
};

/// Appends `text` (valid UTF-8) as a quoted JSON string.
void append_json_string(std::string& out, std::string_view text);

}  // namespace vtemper
