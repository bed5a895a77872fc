#pragma once
// What writer and reader of containers agree on.

#include <optional>
#include <string>
#include <string_view>

#include "storage/container.h"

namespace vtemper {

constexpr const char* format_version = "1";
constexpr const char* header_hash_name = "header_hash";
constexpr size_t hash_digits = 16;
constexpr int64_t longest_header = int64_t{1} << 20;
constexpr size_t payload_alignment = 64;  ///< of the first array from the beginning of the file

const char* element_name(Element element);  ///< of safetensors: "U8", "I32", ...
std::optional<Element> element_named(std::string_view name);

/// 16 hexadecimal digits.
std::string hash_text(uint64_t hash);

/// Where the digits of the header's own hash stand in it.
std::optional<size_t> header_hash_position(std::string_view header);

}  // namespace vtemper
