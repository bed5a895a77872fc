#pragma once
// Word numbers of many documents, packed: frequent words, seen early, have small numbers and take one byte.

#include <cstdint>
#include <deque>
#include <vector>

class TokenStream {
 public:
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
    for (auto byte = bytes_.begin(); byte != bytes_.end();) {
      uint64_t value = 0;
      int shift = 0;
      do {
        value |= uint64_t{*byte & 0x7Fu} << shift;
        shift += 7;
      } while (*byte++ & 0x80u);
      if (value > 0) {
        words.push_back(static_cast<uint32_t>(value - 1));
      } else {
        visit(words);
        words.clear();
      }
    }
  }

 private:
  void put(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<uint8_t>(value | 0x80));
    bytes_.push_back(static_cast<uint8_t>(value));
  }

  std::deque<uint8_t> bytes_;
  int64_t documents_ = 0;
};
