#pragma once
// The header of a container: texts and array locations, to and from JSON.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "storage/container.h"

namespace vtemper {

constexpr int64_t container_alignment = 64;
constexpr int64_t largest_header = int64_t{1} << 20;  ///< bytes
/// Longer texts are stored as u8 arrays named text.<name> instead of in __metadata__, so the header stays small.
constexpr size_t longest_header_text = 1024;
constexpr const char* text_prefix = "text.";
/// Arrays of zeros that fill gaps, which the layout does not allow. Readers skip them.
constexpr const char* padding_prefix = "padding.";
constexpr const char* container_version = "1";

/// An array on disk: its location in the payload.
struct TensorPlace {
  std::string name;
  Element element;
  std::vector<int64_t> shape;
  int64_t begin;  ///< bytes from the start of the payload
  int64_t end;
};

struct ContainerHeader {
  std::map<std::string, std::string, std::less<>> texts;  ///< __metadata__
  std::vector<TensorPlace> places;                        ///< sorted by `begin`
};

/// 16 hexadecimal digits.
std::string hash_text(uint64_t hash);

/// The JSON, padded with blanks so that the payload after it is aligned. Sets the text "header_hash".
std::string header_text(ContainerHeader header);

/// Parses and validates the JSON of a file: grammar, hash, names, element types, sizes that are consistent and do not
/// overflow, arrays that fill the payload in order. Error(FORMAT) that names the file.
ContainerHeader parse_header(std::string_view text, int64_t payload_size, std::string_view format,
                             const std::string& file);

/// Product of the shape (1 for rank 0) times the element size; -1 on overflow.
int64_t bytes_of(Element element, const std::vector<int64_t>& shape);

bool starts_with(std::string_view text, std::string_view beginning);

}  // namespace vtemper
