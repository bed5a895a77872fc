#include "storage/json.h"

#include "support/error.h"
#include "support/text.h"

namespace vtemper {
namespace {

/// `code` is not a surrogate.
void append_utf8(std::string& out, uint32_t code) {
  const auto put = [&](uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6));
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3f));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

}  // namespace

void JsonReader::refuse(const char* what) const {
  throw Error(VTEMPER_ERROR_FORMAT, message(file_, " is damaged: ", what, " is missing at byte ",
                                            static_cast<uint64_t>(at_), " of its header"));
}

void JsonReader::skip_blanks() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
    ++at_;
  }
}

bool JsonReader::take(char symbol) {
  skip_blanks();
  if (at_ >= text_.size() || text_[at_] != symbol) return false;
  ++at_;
  return true;
}

void JsonReader::expect(char symbol) {
  const char what[] = {'\'', symbol, '\'', '\0'};
  if (!take(symbol)) refuse(what);
}

void JsonReader::expect_end() {
  skip_blanks();
  if (at_ != text_.size()) refuse("the end");
}

std::string JsonReader::string() {
  expect('"');
  std::string out;
  for (;;) {
    if (at_ >= text_.size()) refuse("the end of a text");
    const char next = text_[at_];
    if (static_cast<unsigned char>(next) < 0x20) refuse("the end of a text");
    ++at_;
    if (next == '"') return out;
    if (next == '\\') {
      append_escaped(out);
    } else {
      out += next;
    }
  }
}

/// Parses an escape sequence after its backslash.
void JsonReader::append_escaped(std::string& out) {
  constexpr std::string_view escapes = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  if (at_ >= text_.size()) refuse("the end of a text");
  const char escape = text_[at_++];
  const size_t simple = escapes.find(escape);
  if (simple != std::string_view::npos) {
    out += meanings[simple];
    return;
  }
  if (escape != 'u') refuse("an escape sequence");
  uint32_t code = hexadecimal_unit();
  if (code >= 0xd800 && code < 0xdc00) {  // high surrogate
    if (text_.substr(at_, 2) != "\\u") refuse("the second half of a surrogate pair");
    at_ += 2;
    const uint32_t second = hexadecimal_unit();
    if (second < 0xdc00 || second >= 0xe000) refuse("the second half of a surrogate pair");
    code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
  } else if (code >= 0xdc00 && code < 0xe000) {
    refuse("the first half of a surrogate pair");
  }
  append_utf8(out, code);
}

/// The four hexadecimal digits after \u.
uint32_t JsonReader::hexadecimal_unit() {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    constexpr std::string_view digits = "0123456789abcdef0123456789ABCDEF";
    const size_t digit = at_ < text_.size() ? digits.find(text_[at_]) : std::string_view::npos;
    if (digit == std::string_view::npos) refuse("a hexadecimal digit");
    value = value * 16 + static_cast<uint32_t>(digit % 16);
    ++at_;
  }
  return value;
}

int64_t JsonReader::whole_number() {
  skip_blanks();
  const size_t begin = at_;
  while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
  const std::string_view digits = text_.substr(begin, at_ - begin);
  const auto value = parse_integer(digits);
  if (!value || (digits.size() > 1 && digits[0] == '0')) {
    at_ = begin;
    refuse("a whole number from 0 to 2^63 - 1");
  }
  return *value;
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char byte : text) {
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += byte;
    } else if (static_cast<unsigned char>(byte) < 0x20) {
      constexpr std::string_view digits = "0123456789abcdef";
      out += "\\u00";
      out += digits[static_cast<size_t>(byte) / 16];
      out += digits[static_cast<size_t>(byte) % 16];
    } else {
      out += byte;
    }
  }
  out += '"';
}

}  // namespace vtemper
