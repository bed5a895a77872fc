#pragma once
// Numbers and texts from the bytes of an input: any bytes are a valid case.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

class Input {
 public:
  Input(const uint8_t* bytes, size_t size) : bytes_(bytes), size_(size) {}

  bool ended() const { return at_ == size_; }
  /// The next byte; 0 after the end.
  uint8_t byte() { return ended() ? uint8_t{0} : bytes_[at_++]; }
  size_t below(size_t count) {
    const size_t high = byte();
    return (count > 256 ? high * 256 + byte() : high) % count;
  }
  double real() {
    double value = 0;
    take(&value, sizeof value);
    return value;
  }
  int64_t whole() {
    int64_t value = 0;
    take(&value, sizeof value);
    return value;
  }
  /// At most `most` bytes; a zero byte ends it.
  std::string text(size_t most) {
    std::string out;
    while (!ended() && out.size() < most) {
      const char c = static_cast<char>(byte());
      if (c == '\0') break;
      out += c;
    }
    return out;
  }
  std::string rest() {
    const std::string out(reinterpret_cast<const char*>(bytes_) + at_, size_ - at_);
    at_ = size_;
    return out;
  }

 private:
  void take(void* out, size_t size) {
    for (size_t i = 0; i < size; ++i) static_cast<uint8_t*>(out)[i] = byte();
  }
  const uint8_t* bytes_;
  size_t size_;
  size_t at_ = 0;
};
