#include "storage/layout.h"

#include "support/text.h"

namespace vtemper {

int64_t element_size(Element element) {
  switch (element) {
    case Element::u8:
      return 1;
    case Element::i32:
    case Element::f32:
      return 4;
    case Element::i64:
    case Element::f64:
      return 8;
  }
  return 0;
}

const char* element_name(Element element) {
  switch (element) {
    case Element::u8:
      return "U8";
    case Element::i32:
      return "I32";
    case Element::i64:
      return "I64";
    case Element::f32:
      return "F32";
    case Element::f64:
      return "F64";
  }
  return "";
}

std::optional<Element> element_named(std::string_view name) {
  for (const Element element : {Element::u8, Element::i32, Element::i64, Element::f32, Element::f64}) {
    if (name == element_name(element)) return element;
  }
  return std::nullopt;
}

int64_t Tensor::count() const {
  int64_t product = 1;
  for (const int64_t extent : shape) product *= extent;
  return product;
}

int64_t Tensor::bytes() const {
  return count() * element_size(element);
}

std::string hash_text(uint64_t hash) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text(hash_digits, '0');
  for (size_t i = 0; i < hash_digits; ++i) text[hash_digits - 1 - i] = digits[hash >> (4 * i) & 0xF];
  return text;
}

std::optional<size_t> header_hash_position(std::string_view header) {
  const std::string before = sentence("\"", header_hash_name, "\":\"");
  const size_t found = header.find(before);
  if (found == std::string_view::npos || found + before.size() + hash_digits > header.size()) return std::nullopt;
  return found + before.size();
}

}  // namespace vtemper
