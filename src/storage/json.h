#pragma once
// The little JSON that a header needs. General parsers bring number parsing by the locale and recursion or an
// unbounded stack; the header's grammar is fixed, so the caller names what must come next and depth cannot grow.

#include <cstdint>
#include <string>
#include <string_view>

namespace vtemper {

/// Reads one token after the other. What is wrong is an Error(FORMAT) that names the file and the byte.
class JsonReader {
 public:
  /// Borrows the text, which must be valid UTF-8.
  JsonReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  /// The next byte behind blanks, if it is `symbol`, is taken.
  bool take(char symbol);
  void expect(char symbol);
  void expect_end();
  std::string string();
  /// A whole number from 0 to INT64_MAX, written without sign, fraction and exponent.
  int64_t whole_number();

  /// Calls item() for each of the items, separated by commas, up to `closing`; the opening bracket is taken already.
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

/// Appends `text` (valid UTF-8) as a JSON string with its quotes.
void append_json_string(std::string& out, std::string_view text);

}  // namespace vtemper
