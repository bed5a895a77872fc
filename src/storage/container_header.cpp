#include "storage/container_header.h"

#include <xxhash.h>

#include <algorithm>
#include <array>

#include "storage/json.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {
namespace {

constexpr std::string_view hash_key = "\"header_hash\":\"";
constexpr size_t hash_digits = 16;
constexpr size_t max_dimensions = 8;

struct ElementName {
  Element element;
  std::string_view name;
};
constexpr std::array<ElementName, 5> element_names = {{{Element::u8, "U8"},
                                                       {Element::i32, "I32"},
                                                       {Element::i64, "I64"},
                                                       {Element::f32, "F32"},
                                                       {Element::f64, "F64"}}};

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw Error(VTEMPER_ERROR_FORMAT, message(file, " is damaged: ", what));
}

uint64_t hash_of(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

void append_shape(std::string& out, const std::vector<int64_t>& shape) {
  for (size_t i = 0; i < shape.size(); ++i) out += (i > 0 ? "," : "") + number_text(shape[i]);
}

/// {"dtype":"F64","shape":[2,3],"data_offsets":[0,48]}
void append_place(std::string& out, const TensorPlace& place) {
  const auto named = std::find_if(element_names.begin(), element_names.end(),
                                  [&](const ElementName& known) { return known.element == place.element; });
  append_json_string(out, place.name);
  out += message(":{\"dtype\":\"", named->name, "\",\"shape\":[");
  append_shape(out, place.shape);
  out += message("],\"data_offsets\":[", place.begin, ",", place.end, "]}");
}

std::map<std::string, std::string, std::less<>> read_texts(JsonReader& json, const std::string& file) {
  std::map<std::string, std::string, std::less<>> texts;
  json.expect('{');
  json.items('}', [&] {
    const std::string name = json.string();
    json.expect(':');
    if (!texts.emplace(name, json.string()).second) refuse(file, message("the text ", quoted(name), " is repeated"));
  });
  return texts;
}

Element read_element(JsonReader& json, const TensorPlace& place, const std::string& file) {
  const std::string name = json.string();
  for (const ElementName& known : element_names) {
    if (name == known.name) return known.element;
  }
  refuse(file, message("the array ", quoted(place.name), " has the unknown element type ", quoted(name)));
}

std::vector<int64_t> read_whole_numbers(JsonReader& json, size_t most, const std::string& file) {
  std::vector<int64_t> numbers;
  json.expect('[');
  json.items(']', [&] {
    if (numbers.size() == most)
      refuse(file, message("a list has more than ", static_cast<uint64_t>(most), " numbers"));
    numbers.push_back(json.whole_number());
  });
  return numbers;
}

TensorPlace read_place(JsonReader& json, const std::string& name, const std::string& file) {
  TensorPlace place{name, Element::u8, {}, 0, 0};
  const auto refuse_array = [&](const std::string& what) {
    refuse(file, message("the array ", quoted(name), " ", what));
  };
  std::vector<std::string> keys;
  json.expect('{');
  json.items('}', [&] {
    keys.push_back(json.string());
    const std::string& key = keys.back();
    json.expect(':');
    if (std::count(keys.begin(), keys.end(), key) > 1) refuse_array(message("says ", quoted(key), " twice"));
    if (key == "dtype") {
      place.element = read_element(json, place, file);
    } else if (key == "shape") {
      place.shape = read_whole_numbers(json, max_dimensions, file);
    } else if (key == "data_offsets") {
      const std::vector<int64_t> offsets = read_whole_numbers(json, 2, file);
      if (offsets.size() != 2 || offsets[0] > offsets[1]) refuse_array("has no place");
      place.begin = offsets[0];
      place.end = offsets[1];
    } else {
      refuse_array(message("says ", quoted(key), ", which is unknown"));
    }
  });
  if (keys.size() != 3) refuse_array("lacks its element type, its shape or its place");
  const int64_t bytes = bytes_of(place.element, place.shape);
  if (bytes < 0) refuse_array("is larger than any memory");
  if (bytes != place.end - place.begin) refuse_array("has a shape that does not fit its place");
  return place;
}

void check_format(const ContainerHeader& header, std::string_view format, const std::string& file) {
  const auto text = [&](std::string_view name) -> std::string {
    const auto found = header.texts.find(name);
    return found == header.texts.end() ? "" : found->second;
  };
  if (text("format") != format) {
    const std::string said = text("format").empty() ? "it says no format" : "its format is " + quoted(text("format"));
    throw Error(VTEMPER_ERROR_FORMAT, message(file, " is not a ", format, " file: ", said));
  }
  if (text("format_version") != container_version) {
    throw Error(VTEMPER_ERROR_FORMAT, message(file, " has format version ", quoted(text("format_version")),
                                              "; this library reads version ", container_version));
  }
}

/// The hash covers the text with zeros in place of the hash itself.
void check_hash(std::string_view text, const ContainerHeader& header, const std::string& file) {
  const size_t at = text.find(hash_key);
  const auto found = header.texts.find("header_hash");
  if (at == std::string_view::npos || found == header.texts.end()) refuse(file, "its header has no hash");
  const size_t digits = at + hash_key.size();
  if (text.substr(digits, hash_digits) != found->second) refuse(file, "its header has no hash");
  std::string zeroed(text);
  zeroed.replace(digits, hash_digits, hash_digits, '0');
  if (hash_text(hash_of(zeroed)) != found->second) refuse(file, "the hash of its header does not match");
}

void check_places(std::vector<TensorPlace>& places, int64_t payload_size, const std::string& file) {
  std::sort(places.begin(), places.end(), [](const TensorPlace& a, const TensorPlace& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  int64_t end = 0;
  for (const TensorPlace& place : places) {
    if (place.begin != end) {
      refuse(file, message("the array ", quoted(place.name), " begins at byte ", place.begin, ", not at ", end));
    }
    if (place.begin % container_alignment != 0 && place.end > place.begin &&
        !starts_with(place.name, padding_prefix)) {
      refuse(file, message("the array ", quoted(place.name), " is not aligned to ", container_alignment, " bytes"));
    }
    end = place.end;
  }
  if (end > payload_size) {
    throw Error(VTEMPER_ERROR_FORMAT, message(file, " is truncated: ", end - payload_size, " bytes are missing"));
  }
  if (end < payload_size) refuse(file, message(payload_size - end, " bytes follow its last array"));
}

}  // namespace

bool starts_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

int64_t element_size(Element element) {
  switch (element) {
    case Element::u8:
      return 1;
    case Element::i32:
    case Element::f32:
      return 4;
    case Element::i64:
    case Element::f64:
      break;
  }
  return 8;
}

int64_t bytes_of(Element element, const std::vector<int64_t>& shape) {
  int64_t bytes = element_size(element);
  bool empty = false;
  for (const int64_t size : shape) {
    if (size < 0) return -1;
    empty = empty || size == 0;
    if (size > 0 && __builtin_mul_overflow(bytes, size, &bytes)) return -1;
  }
  return empty ? 0 : bytes;
}

std::string hash_text(uint64_t hash) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(hash_digits, '0');
  for (size_t i = hash_digits; i-- > 0; hash >>= 4) text[i] = digits[hash & 15];
  return text;
}

std::string header_text(ContainerHeader header) {
  header.texts["header_hash"] = std::string(hash_digits, '0');
  std::string text = "{\"__metadata__\":{";
  bool first = true;
  for (const auto& [name, value] : header.texts) {
    if (!first) text += ',';
    first = false;
    append_json_string(text, name);
    text += ':';
    append_json_string(text, value);
  }
  text += '}';
  for (const TensorPlace& place : header.places) {
    text += ',';
    append_place(text, place);
  }
  text += '}';
  constexpr size_t alignment = container_alignment;
  text.append((alignment - (8 + text.size()) % alignment) % alignment, ' ');
  text.replace(text.find(hash_key) + hash_key.size(), hash_digits, hash_text(hash_of(text)));
  return text;
}

ContainerHeader parse_header(std::string_view text, int64_t payload_size, std::string_view format,
                             const std::string& file) {
  if (!is_valid_utf8(text)) refuse(file, "its header is not valid UTF-8");
  if (text.empty() || text[0] != '{') {
    throw Error(VTEMPER_ERROR_FORMAT, message(file, " is not a ", format, " file"));
  }
  ContainerHeader header;
  JsonReader json(text, file);
  bool has_texts = false;
  std::vector<std::string_view> names;
  json.expect('{');
  json.items('}', [&] {
    const std::string name = json.string();
    json.expect(':');
    if (name != "__metadata__") {
      header.places.push_back(read_place(json, name, file));
    } else if (has_texts) {
      refuse(file, "its texts are repeated");
    } else {
      header.texts = read_texts(json, file);
      has_texts = true;
    }
  });
  json.expect_end();
  for (const TensorPlace& place : header.places) names.push_back(place.name);
  std::sort(names.begin(), names.end());
  const auto repeated = std::adjacent_find(names.begin(), names.end());
  if (repeated != names.end()) refuse(file, message("the array ", quoted(*repeated), " is repeated"));
  check_format(header, format, file);
  check_hash(text, header, file);
  check_places(header.places, payload_size, file);
  return header;
}

}  // namespace vtemper
