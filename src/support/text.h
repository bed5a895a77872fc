#pragma once
// Text <-> numbers without the locale, and sentences put together from pieces.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vtemper {

/// The shortest text that reads back as the same number; "nan", "inf", "-inf" where it is none.
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

/// The number that the whole of `text` spells (surrounding blanks and a plus sign allowed), or nothing. Reals may be
/// "inf" or "nan"; one too large for a double is nothing, one too small is 0.
std::optional<double> parse_real(std::string_view text);
std::optional<int64_t> parse_integer(std::string_view text);

/// `text` without the blanks (spaces and tabs) around it.
std::string_view trimmed(std::string_view text);

/// `text` in double quotes for a message, cut short (at a whole character) beyond 100 bytes.
std::string quoted(std::string_view text);

/// No overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_valid_utf8(std::string_view text);

/// Edit distance (insert, delete, replace): nearest valid names in error messages.
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

/// sentence("row ", 3, " has a NaN"): strings and numbers, one after the other.
template <class... Pieces>
std::string sentence(const Pieces&... pieces) {
  std::string out;
  (detail::append(out, pieces), ...);
  return out;
}

}  // namespace vtemper
