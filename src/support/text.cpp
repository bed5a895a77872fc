#include "support/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace vtemper {
namespace {

template <class Number>
std::string text_of(Number value) {
  char buffer[32];  // the longest texts have 24 characters, such as -2.2250738585072014e-308
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}

/// Strips blanks and a leading plus sign; "+-1" is kept and fails to parse.
std::string_view bare_number(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  return text;
}

/// Length of the UTF-8 character at the start of `text`; 0 if invalid.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xc2 && first < 0xe0   ? 2
                        : first >= 0xe0 && first < 0xf0 ? 3
                        : first >= 0xf0 && first < 0xf5 ? 4
                                                        : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // The second byte excludes overlong forms, surrogates and code points beyond U+10FFFF.
  const bool good = !(first == 0xe0 && byte(1) < 0xa0) && !(first == 0xed && byte(1) > 0x9f) &&
                    !(first == 0xf0 && byte(1) < 0x90) && !(first == 0xf4 && byte(1) > 0x8f);
  return good ? length : 0;
}

}  // namespace

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  return text_of(value);
}

std::string number_text(int64_t value) {
  return text_of(value);
}

std::string number_text(uint64_t value) {
  return text_of(value);
}

std::optional<double> parse_real(std::string_view text) {
  text = bare_number(text);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ptr != end || text.empty()) return std::nullopt;
  if (result.ec == std::errc()) return value;
  // Out of range: the sign of the exponent distinguishes overflow from underflow.
  const size_t exponent = text.find_first_of("eE");
  const bool small = exponent != std::string_view::npos && exponent + 1 < text.size() && text[exponent + 1] == '-';
  if (result.ec == std::errc::result_out_of_range && small) return text[0] == '-' ? -0.0 : 0.0;
  return std::nullopt;
}

bool is_written_as_real(std::string_view text) {
  text = bare_number(text);
  double value = 0;
  const char* const end = text.data() + text.size();
  return !text.empty() && std::from_chars(text.data(), end, value).ptr == end;
}

std::optional<int64_t> parse_integer(std::string_view text) {
  text = bare_number(text);
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

std::string counted(int64_t count, std::string_view one, std::string_view several) {
  if (count == 1) return message(count, " ", one);
  return several.empty() ? message(count, " ", one, "s") : message(count, " ", several);
}

std::string there_are(int64_t count, std::string_view one, std::string_view several) {
  return (count == 1 ? "there is " : "there are ") + counted(count, one, several);
}

std::string quoted(std::string_view text) {
  constexpr size_t longest = 100;
  size_t length = std::min(text.size(), longest);
  while (length < text.size() && length > longest - 4 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
    --length;
  std::string shown(text.substr(0, length));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, '?');
  return message("\"", shown, length < text.size() ? "...\"" : "\"");
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

int edit_distance(std::string_view a, std::string_view b) {
  // One row of the dynamic-programming table of distances between prefixes of a and b.
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace vtemper
