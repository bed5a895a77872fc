#pragma once
// Locale-independent conversion between text and numbers, and messages built from pieces.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vtemper {

/// The shortest text that parses back to the same number; "nan", "inf" or "-inf" for non-finite values.
std::string number_text(double value);
std::string number_text(int64_t value);
std::string number_text(uint64_t value);
/// "1,2.5,3": the text of an option of type REALS.
template <class Numbers>
std::string numbers_text(const Numbers& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ",") + number_text(number);
  return text;
}

/// The number that the whole of `text` represents (surrounding blanks and a plus sign allowed), or nullopt. Reals may
/// be "inf" or "nan"; overflow gives nullopt, underflow 0.
std::optional<double> parse_real(std::string_view text);
/// Whether the whole of `text` is written as a real, perhaps one out of range.
bool is_written_as_real(std::string_view text);
std::optional<int64_t> parse_integer(std::string_view text);

/// `text` without surrounding spaces and tabs.
std::string_view trimmed(std::string_view text);
/// `text` with its letters A to Z in lower case.
std::string lower_case(std::string_view text);

/// "1 row" or "3 rows": a number of things whose plural is regular, or `several` if that is given ("entries").
std::string counted(int64_t count, std::string_view one, std::string_view several = {});
/// "there is 1 row" or "there are 3 rows".
std::string there_are(int64_t count, std::string_view one, std::string_view several = {});

/// `text` in double quotes for a message: ? for control characters, truncated (at a character boundary) at 100 bytes.
std::string quoted(std::string_view text);

/// Rejects overlong forms, surrogates and code points beyond U+10FFFF.
bool is_valid_utf8(std::string_view text);

/// Levenshtein distance (insert, delete, replace), for suggestions in error messages.
int edit_distance(std::string_view a, std::string_view b);

namespace detail {
inline void append(std::string& out, std::string_view piece) {
  out += piece;
}
inline void append(std::string& out, const char* piece) {
  out += piece;
}
inline void append(std::string& out, const std::string& piece) {
  out += piece;
}
inline void append(std::string& out, double piece) {
  out += number_text(piece);
}
inline void append(std::string& out, int piece) {
  out += number_text(static_cast<int64_t>(piece));
}
inline void append(std::string& out, int64_t piece) {
  out += number_text(piece);
}
inline void append(std::string& out, uint64_t piece) {
  out += number_text(piece);
}
}  // namespace detail

/// message("row ", 3, " has a NaN"): concatenates strings and numbers.
template <class... Pieces>
std::string message(const Pieces&... pieces) {
  std::string out;
  (detail::append(out, pieces), ...);
  return out;
}

}  // namespace vtemper
