#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "storage/container_header.h"
#include "storage/file_contents.h"
#include "support/array.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/text.h"

namespace vtemper {
namespace {

constexpr int64_t length_size = sizeof(int64_t);

/// Header length from the first 8 bytes; -1 if impossible for a container.
int64_t header_length(const void* bytes) {
  int64_t length;
  std::memcpy(&length, bytes, sizeof length);
  return length < 2 || length > largest_header ? -1 : length;
}

}  // namespace

ContainerReader ContainerReader::open_file(const std::string& path, std::string_view format, Verify verify,
                                           const FileLimits& limits) {
  ContainerReader reader;
  reader.name_ = path;
  reader.contents_ = std::make_shared<const FileContents>(path, limits);
  reader.owner_ = reader.contents_;
  reader.parse(reader.contents_->begin(), reader.contents_->size(), format);
  if (verify == Verify::everything) reader.verify_payload();
  return reader;
}

ContainerReader ContainerReader::open_buffer(const void* buffer, int64_t size, std::string_view format,
                                             const std::string& name) {
  ContainerReader reader;
  reader.name_ = name;
  if (size > 0 && reinterpret_cast<uintptr_t>(buffer) % sizeof(double) != 0) {
    // Numbers are read in place, so they must be aligned.
    const auto copy = std::make_shared<Array<uint8_t>>(static_cast<size_t>(size));
    std::memcpy(copy->data(), buffer, static_cast<size_t>(size));
    buffer = copy->data();
    reader.owner_ = copy;
  }
  reader.parse(buffer, size, format);
  return reader;
}

void ContainerReader::parse(const void* bytes, int64_t size, std::string_view format) {
  const auto* const begin = static_cast<const uint8_t*>(bytes);
  const auto refuse = [&](const std::string& why) { throw Error(VTEMPER_ERROR_FORMAT, name_ + why); };
  // Copies, so that a large file need not be in memory.
  const auto text_at = [&](const uint8_t* address, int64_t count) {
    std::string text(static_cast<size_t>(count), '\0');
    if (unread() != nullptr) {
      contents_->read(address, count, text.data());
    } else {
      std::copy_n(address, count, text.begin());
    }
    return text;
  };
  if (size <= 0) refuse(" is empty");
  if (size < length_size) refuse(message(" is not a ", format, " file: it has ", size, " bytes"));
  const int64_t length = header_length(text_at(begin, length_size).data());
  if (length < 0) refuse(message(" is not a ", format, " file"));
  if (length > size - length_size) refuse(" is truncated within its header");
  if ((length_size + length) % container_alignment != 0) refuse(" is damaged: its arrays are not aligned");

  const std::string text = text_at(begin + length_size, length);
  payload_ = begin + length_size + length;
  payload_size_ = size - length_size - length;
  ContainerHeader header = parse_header(text, payload_size_, format, name_);
  texts_ = std::move(header.texts);
  for (TensorPlace& place : header.places) {
    if (starts_with(place.name, padding_prefix)) continue;
    // An empty array may be at any position, but its address must be aligned as well.
    const uint8_t* const data = payload_ + (place.end > place.begin ? place.begin : 0);
    if (starts_with(place.name, text_prefix)) {
      const auto refuse_text = [&] { refuse(message(" is damaged: ", quoted(place.name), " is not text")); };
      if (place.element != Element::u8) refuse_text();
      std::string value = text_at(data, place.end - place.begin);
      if (!is_valid_utf8(value)) refuse_text();
      const std::string name = place.name.substr(std::strlen(text_prefix));
      if (!texts_.emplace(name, std::move(value)).second)
        refuse(message(" is damaged: the text ", quoted(name), " is repeated"));
    } else {
      tensors_.emplace(std::move(place.name), Tensor{place.element, std::move(place.shape), data, nullptr, unread()});
    }
  }
}

void ContainerReader::verify_payload() const {
  XXH3_state_t hash;
  XXH3_64bits_reset(&hash);
  Piece{payload_, payload_size_, nullptr, contents_.get()}.visit([&](const void* bytes, int64_t size) {
    require_not_interrupted();
    XXH3_64bits_update(&hash, bytes, static_cast<size_t>(size));
  });
  if (hash_text(XXH3_64bits_digest(&hash)) != text("payload_hash")) {
    throw Error(VTEMPER_ERROR_FORMAT, name_ + " is damaged: the hash of its arrays does not match");
  }
}

const std::string& ContainerReader::text(std::string_view name) const {
  const auto found = texts_.find(name);
  if (found == texts_.end()) throw Error(VTEMPER_ERROR_FORMAT, message(name_, " has no text ", quoted(name)));
  return found->second;
}

bool ContainerReader::has_text(std::string_view name) const {
  return texts_.find(name) != texts_.end();
}

bool ContainerReader::has_tensor(std::string_view name) const {
  return tensors_.find(name) != tensors_.end();
}

const Tensor& ContainerReader::tensor(std::string_view name, Element element, size_t rank) const {
  const Tensor& found = unread_tensor(name, element, rank);
  if (found.contents != nullptr) found.contents->keep(found.data, found.bytes());
  return found;
}

const Tensor& ContainerReader::unread_tensor(std::string_view name, Element element, size_t rank) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw Error(VTEMPER_ERROR_FORMAT, message(name_, " has no array ", quoted(name)));
  const Tensor& tensor = found->second;
  if (tensor.element != element || tensor.shape.size() != rank) {
    throw Error(VTEMPER_ERROR_FORMAT,
                message(name_, " holds an array ", quoted(name), " of another type or number of dimensions"));
  }
  return tensor;
}

std::vector<double> ContainerReader::doubles(std::string_view name) const {
  const Tensor& found = tensor(name, Element::f64, 1);
  const double* const values = static_cast<const double*>(found.data);
  return std::vector<double>(values, values + found.count());
}

std::vector<int64_t> ContainerReader::integers(std::string_view name) const {
  const Tensor& found = tensor(name, Element::i64, 1);
  const int64_t* const values = static_cast<const int64_t*>(found.data);
  return std::vector<int64_t>(values, values + found.count());
}

bool looks_like_container(const std::string& path) {
  uint8_t bytes[length_size + 1];
  return read_beginning(path, bytes, sizeof bytes) && header_length(bytes) > 0 && bytes[length_size] == '{';
}

}  // namespace vtemper
