#pragma once
// Containers made by hand: any header with any payload and correct hashes, so that a refusal has one cause only.

#include <xxhash.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace bytes {

inline std::string digits_of(uint64_t hash) {
  std::string out(16, '0');
  for (size_t i = 16; i-- > 0; hash >>= 4) out[i] = "0123456789abcdef"[hash & 15];
  return out;
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// Length, header and payload. PAYLOAD and HEADER in the JSON become the hashes.
inline std::string container(std::string json, const std::string& payload) {
  json = replaced(json, "PAYLOAD", digits_of(XXH3_64bits(payload.data(), payload.size())));
  json = replaced(json, "HEADER", std::string(16, '0'));
  json.append((64 - (8 + json.size()) % 64) % 64, ' ');
  const std::string hash = digits_of(XXH3_64bits(json.data(), json.size()));
  const uint64_t length = json.size();
  std::string out(sizeof length, '\0');
  std::memcpy(out.data(), &length, sizeof length);
  return out + replaced(json, "\"header_hash\":\"0000000000000000\"", "\"header_hash\":\"" + hash + "\"") + payload;
}

/// The header's texts that every container has.
inline std::string metadata() {
  return R"("__metadata__":{"format":"vtemper.test","format_version":"1","header_hash":"HEADER","payload_hash":"PAYLOAD"})";
}

/// A container whose arrays are described by `arrays` (JSON without the outer braces).
inline std::string with_arrays(const std::string& arrays, const std::string& payload) {
  return container("{" + metadata() + (arrays.empty() ? "" : ",") + arrays + "}", payload);
}

}  // namespace bytes
