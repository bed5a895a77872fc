// Arbitrary bytes as a container: refused with an Error, or read to the end and written again with the same contents.
//
// An input that begins with J is JSON up to the end of the line, followed by the payload; a length and correct hashes
// are added, since mutations would hardly find those. Every other input is used as it is.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "storage/container.h"
#include "support/error.h"
#include "unit/storage/bytes.h"

using namespace vtemper;

namespace {

constexpr const char* format = "vtemper.test";

std::string container_of(const uint8_t* bytes, size_t size) {
  const std::string input(reinterpret_cast<const char*>(bytes), size);
  if (input.empty() || input[0] != 'J') return input;
  const size_t line = input.find('\n');
  if (line == std::string::npos) return bytes::container(input.substr(1), "");
  return bytes::container(input.substr(1, line - 1), input.substr(line + 1));
}

ContainerReader opened(const std::string& bytes) {
  ContainerReader reader = ContainerReader::open_buffer(bytes.data(), static_cast<int64_t>(bytes.size()), format);
  reader.verify_payload();
  return reader;
}

/// Writes the texts again; they must be read back unchanged.
void check_texts(const ContainerReader& reader) {
  ContainerWriter writer(format);
  for (const auto& [name, text] : reader.texts()) {
    const bool own = name == "format" || name == "format_version" || name == "header_hash" || name == "payload_hash";
    if (!own) writer.text(name, text);
  }
  std::string bytes(static_cast<size_t>(writer.size()), '\0');
  writer.write(bytes.data());
  const ContainerReader again = opened(bytes);
  for (const auto& [name, text] : reader.texts()) {
    const bool hash = name == "header_hash" || name == "payload_hash";
    if (!hash && again.text(name) != text) std::abort();
  }
}

/// Requests arrays by every type and number of dimensions, and reads all bytes of those that exist.
uint64_t read_arrays(const ContainerReader& reader) {
  uint64_t sum = 0;
  for (const char* name : {"a", "b", "text.a", "padding.0", ""}) {
    for (const Element element : {Element::u8, Element::i32, Element::i64, Element::f32, Element::f64}) {
      for (size_t rank = 0; rank < 4 && reader.has_tensor(name, element); ++rank) {
        try {
          const Tensor& tensor = reader.tensor(name, element, rank);
          const auto* data = static_cast<const uint8_t*>(tensor.data);
          if (reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(element_size(element)) != 0) std::abort();
          for (int64_t i = 0; i < tensor.bytes(); ++i) sum += data[i];
        } catch (const Error&) {  // another number of dimensions
        }
      }
    }
  }
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string container = container_of(bytes, size);
  try {
    const ContainerReader reader = opened(container);
    volatile uint64_t sum = read_arrays(reader);
    static_cast<void>(sum);
    check_texts(reader);
  } catch (const Error& error) {
    // FORMAT, or UNSUPPORTED if the texts, with those that the writer adds, make the header too large.
    if (error.status() != VTEMPER_ERROR_FORMAT && error.status() != VTEMPER_ERROR_UNSUPPORTED) std::abort();
  }
  return 0;
}
