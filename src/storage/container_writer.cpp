#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "storage/atomic_file.h"
#include "storage/container.h"
#include "storage/container_header.h"
#include "support/error.h"
#include "support/text.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Containers hold little-endian numbers, which are used in place."
#endif

namespace vtemper {

int64_t Tensor::count() const {
  return bytes() / element_size(element);
}

int64_t Tensor::bytes() const {
  return bytes_of(element, shape);
}

/// An array to be written, with its memory if the writer owns it.
struct ContainerWriter::Named {
  std::string name;
  Tensor tensor;
  std::shared_ptr<const void> owner;
};

/// The bytes to be written: length and text of the header, and the pieces of the payload.
struct ContainerWriter::Layout {
  std::string header;
  std::vector<Piece> pieces;
  int64_t size = 0;
};

ContainerWriter::ContainerWriter(std::string format) : format_(std::move(format)) {}

void ContainerWriter::text(const std::string& name, const std::string& value) {
  if (!is_valid_utf8(name) || !is_valid_utf8(value)) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("the text ", quoted(name), " is not valid UTF-8, so no file can hold it"));
  }
  if (value.size() > longest_header_text) {
    keep(text_prefix + name, value);
  } else if (!texts_.emplace(name, value).second) {
    throw Error(VTEMPER_ERROR_INTERNAL, message("the text ", quoted(name), " is written twice"));
  }
}

void ContainerWriter::add(const std::string& name, Tensor tensor, std::shared_ptr<const void> owner) {
  const bool repeated =
      std::any_of(tensors_.begin(), tensors_.end(), [&](const auto& known) { return known->name == name; });
  if (repeated || tensor.bytes() < 0 || starts_with(name, padding_prefix)) {
    throw Error(VTEMPER_ERROR_INTERNAL, message("the array ", quoted(name), " cannot be written"));
  }
  tensors_.push_back(std::make_shared<const Named>(Named{name, std::move(tensor), std::move(owner)}));
}

void ContainerWriter::tensor(const std::string& name, Element element, std::vector<int64_t> shape, const void* data,
                             const FileContents* contents) {
  add(name, Tensor{element, std::move(shape), data, nullptr, contents}, nullptr);
}

void ContainerWriter::tensor(const std::string& name, Element element, std::vector<int64_t> shape,
                             const Piece& bytes) {
  Tensor tensor{element, std::move(shape), bytes.data, bytes.scratch, bytes.contents, bytes.file};
  if (tensor.bytes() != bytes.size) {
    throw Error(VTEMPER_ERROR_INTERNAL,
                message("the array ", quoted(name), " does not have the number of bytes of its shape"));
  }
  add(name, std::move(tensor), nullptr);
}

template <class Values>
void ContainerWriter::keep_values(const std::string& name, Element element, Values values) {
  const auto kept = std::make_shared<const Values>(std::move(values));
  add(name, Tensor{element, {static_cast<int64_t>(kept->size())}, kept->data()}, kept);
}

void ContainerWriter::keep(const std::string& name, std::vector<double> values) {
  keep_values(name, Element::f64, std::move(values));
}

void ContainerWriter::keep(const std::string& name, std::vector<int64_t> values) {
  keep_values(name, Element::i64, std::move(values));
}

void ContainerWriter::keep(const std::string& name, std::string bytes) {
  keep_values(name, Element::u8, std::move(bytes));
}

ContainerWriter::Layout ContainerWriter::layout(bool with_hash) const {
  static const uint8_t zeros[container_alignment] = {};
  Layout layout;
  ContainerHeader header;
  int64_t end = 0;
  const auto place = [&](const std::string& name, const Tensor& tensor) {
    header.places.push_back({name, tensor.element, tensor.shape, end, end + tensor.bytes()});
    layout.pieces.push_back(tensor.piece());
    end += tensor.bytes();
  };
  for (const auto& named : tensors_) {
    const int64_t padding = (container_alignment - end % container_alignment) % container_alignment;
    if (padding > 0 && named->tensor.bytes() > 0) {
      place(message(padding_prefix, end), Tensor{Element::u8, {padding}, zeros});
    }
    place(named->name, named->tensor);
  }

  XXH3_state_t hash;
  XXH3_64bits_reset(&hash);
  for (const Piece& piece : layout.pieces) {
    if (!with_hash) break;
    piece.visit(
        [&](const void* bytes, int64_t size) { XXH3_64bits_update(&hash, bytes, static_cast<size_t>(size)); });
  }
  header.texts.insert(texts_.begin(), texts_.end());
  header.texts["format"] = format_;
  header.texts["format_version"] = container_version;
  header.texts["payload_hash"] = hash_text(XXH3_64bits_digest(&hash));
  const std::string text = header_text(std::move(header));
  const int64_t length = static_cast<int64_t>(text.size());
  if (length > largest_header) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("the header of the file would take ", length, " bytes; the maximum is ", largest_header));
  }
  layout.header.resize(sizeof length);
  std::memcpy(layout.header.data(), &length, sizeof length);
  layout.header += text;
  layout.size = static_cast<int64_t>(layout.header.size()) + end;
  return layout;
}

ContainerReader ContainerWriter::view(const std::string& name) const {
  ContainerReader reader;
  reader.name_ = name;
  reader.texts_.insert(texts_.begin(), texts_.end());
  for (const auto& named : tensors_) {
    if (starts_with(named->name, text_prefix)) {
      reader.texts_.emplace(
          named->name.substr(std::string_view(text_prefix).size()),
          std::string(static_cast<const char*>(named->tensor.data), static_cast<size_t>(named->tensor.bytes())));
    } else {
      reader.tensors_.emplace(named->name, named->tensor);
    }
  }
  return reader;
}

int64_t ContainerWriter::size() const {
  return layout(false).size;
}

uint64_t ContainerWriter::hash() const {
  const Layout whole = layout(true);  // its header holds the hash of the arrays
  return XXH3_64bits(whole.header.data(), whole.header.size());
}

std::string ContainerWriter::bytes() const {
  std::string bytes(static_cast<size_t>(size()), '\0');
  write(bytes.data());
  return bytes;
}

void ContainerWriter::write(void* buffer) const {
  const Layout whole = layout(true);
  char* out = std::copy(whole.header.begin(), whole.header.end(), static_cast<char*>(buffer));
  for (const Piece& piece : whole.pieces) {
    piece.visit([&](const void* bytes, int64_t size) {
      std::memcpy(out, bytes, static_cast<size_t>(size));
      out += size;
    });
  }
}

void ContainerWriter::write_file(const std::string& path) const {
  Layout whole = layout(true);
  whole.pieces.insert(whole.pieces.begin(), {whole.header.data(), static_cast<int64_t>(whole.header.size())});
  write_file_atomically(path, whole.pieces);
}

}  // namespace vtemper
