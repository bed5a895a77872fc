#pragma once
// The header of a container: texts and places of arrays, to and from its JSON.

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
/// Longer texts are not in __metadata__ but in u8 arrays named text.<name>, so the header stays small.
constexpr size_t longest_header_text = 1024;
constexpr const char* text_prefix = "text.";
/// Arrays of zeros between the others: the layout allows no holes. Readers leave them out.
constexpr const char* padding_prefix = "padding.";
constexpr const char* container_version = "1";

/// An array that is not in memory: its place in the payload.
struct TensorPlace {
  std::string name;
  Element element;
  std::vector<int64_t> shape;
  int64_t begin;  ///< bytes from the start of the payload
  int64_t end;
};

struct ContainerHeader {
  std::map<std::string, std::string, std::less<>> texts;  ///< __metadata__
  std::vector<TensorPlace> places;                        ///< by begin
};

/// 16 hexadecimal digits.
std::string hash_text(uint64_t hash);

/// The JSON, filled up with blanks so that the payload behind it is aligned. Sets the text "header_hash".
std::string header_text(ContainerHeader header);

/// Reads the JSON of a file and checks it: grammar, hash, names, element types, sizes that agree and do not overflow,
/// arrays that fill the payload from begin to end in order. Error(FORMAT) that names the file.
ContainerHeader parse_header(std::string_view text, int64_t payload_size, std::string_view format,
                             const std::string& file);

/// Product of a shape (a rank of 0 counts 1) times the size of an element; -1 where that overflows.
int64_t bytes_of(Element element, const std::vector<int64_t>& shape);

bool starts_with(std::string_view text, std::string_view beginning);

}  // namespace vtemper
