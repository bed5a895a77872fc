#pragma once
// Word numbers of many documents, packed: frequent words, seen early, have small numbers and take one byte.

#include <cstdint>
#include <string>
#include <vector>

#include "scratch_bytes.h"

class TokenStream {
 public:
  /// `folder`: where a temporary file is created; empty: words stay in memory.
  explicit TokenStream(std::string folder) : bytes_(std::move(folder)) {}

  void add_document(const std::vector<uint32_t>& words) {
    for (const uint32_t word : words) put(uint64_t{word} + 1);
    put(0);
    ++documents_;
  }
  int64_t documents() const { return documents_; }

  /// Calls visit(words) for each document, in order.
  template <class Visit>
  void visit(const Visit& visit) const {
    std::vector<uint32_t> words;
    uint64_t value = 0;
    int shift = 0;
    bytes_.visit([&](const char* bytes, size_t size) {
      for (size_t i = 0; i < size; ++i) {
        const auto byte = static_cast<uint8_t>(bytes[i]);
        value |= uint64_t{byte & 0x7Fu} << shift;
        shift += 7;
        if ((byte & 0x80u) != 0) continue;
        if (value > 0) {
          words.push_back(static_cast<uint32_t>(value - 1));
        } else {
          visit(words);
          words.clear();
        }
        value = 0;
        shift = 0;
      }
    });
  }

 private:
  void put(uint64_t value) {
    uint8_t bytes[10];
    size_t size = 0;
    for (; value >= 0x80; value >>= 7) bytes[size++] = static_cast<uint8_t>(value | 0x80);
    bytes[size++] = static_cast<uint8_t>(value);
    bytes_.append(bytes, size);
  }

  ScratchBytes bytes_;
  int64_t documents_ = 0;
};
